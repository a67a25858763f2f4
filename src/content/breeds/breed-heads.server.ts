import type { Locale } from '#src/kit/locale.ts'
import { m } from '#src/paraglide/messages.js'

/** What a breed's page says of itself to engines; on the server, so that browsers need not carry it. */
export const breedHead = ({ name, otherName, tract }: { name: string; otherName: string; tract: string }, locale: Locale) => ({
  title: m.breed_title({ breed: name }, { locale }),
  description: m.breed_description({ breed: name, tract }, { locale }),
  keywords: `${name}, ${otherName}, ${m.page_keywords({}, { locale })}`,
  guide: m.breed_index_title({}, { locale }),
})
