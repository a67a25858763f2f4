import type { Locale } from '#src/kit/text/locale.ts'
import { m } from '#src/paraglide/messages.js'

/** On the server, so that no browser carries it. */
export const supportHead = (locale: Locale) => ({
  title: m.support_title({}, { locale }),
  description: m.support_lead({}, { locale }),
  keywords: m.page_keywords({}, { locale }),
})
