import type { Locale } from '#src/kit/text/locale.ts'
import { m } from '#src/paraglide/messages.js'

/** Title and description of a breed's page for search engines; on the server only, to keep the text out of browser bundles. */
export const breedHead = ({ name, otherName, tract }: { name: string; otherName: string; tract: string }, locale: Locale) => ({
  title: m.breed_title({ breed: name }, { locale }),
  description: m.breed_description({ breed: name, tract }, { locale }),
  keywords: `${name}, ${otherName}, ${m.page_keywords({}, { locale })}`,
  guide: m.breed_index_title({}, { locale }),
})
