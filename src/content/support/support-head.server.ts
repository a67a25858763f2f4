import type { Locale } from '#src/kit/text/locale.ts'
import { m } from '#src/paraglide/messages.js'

/** On the server only, to keep the texts out of browser bundles. */
export const supportHead = (locale: Locale) => ({
  title: m.support_title({}, { locale }),
  description: m.support_lead({}, { locale }),
  keywords: m.page_keywords({}, { locale }),
})
