import type { Locale } from '#src/kit/text/locale.ts'
import { formatDay } from '#src/kit/time-money/dates.ts'
import { vaccines } from '#src/listings/reference/reference-data.ts'
import { scheduleFor, type Given } from '#src/listings/reference/vaccination-schedule.ts'
import { vaccinesOf } from '#src/listings/reference/vaccine-ages.ts'

interface Newcomer {
  animal: { categoryId: number; breedId: number | null; genderId: number | null }
  given: readonly Given[]
  /** Indian calendar day. */
  today: string
  locale: Locale
}

const CATTLE = 1
const GOATS = 2
const FEMALE = 0

/** Vaccinations of the listing, each with its next due day, and the usual ones without a date. */
export function firstDays({ animal: { categoryId, breedId, genderId }, given, today, locale }: Newcomer) {
  const day = (text: string) => formatDay(new Date(text), locale)
  const nameOf = (id: number) => vaccines.find((vaccine) => vaccine.id === id)?.[locale] ?? ''
  const usual = breedId === null ? [] : vaccinesOf({ id: breedId, categoryId })
  return {
    isMilked: genderId === FEMALE && (categoryId === CATTLE || categoryId === GOATS),
    vaccinations: scheduleFor(given, today).map(({ vaccineId, givenOn, status, dueOn }) => ({
      id: vaccineId,
      name: nameOf(vaccineId),
      given: day(givenOn),
      status,
      due: dueOn && day(dueOn),
    })),
    unknown: usual
      .filter(({ id }) => !given.some(({ vaccineId }) => vaccineId === id))
      .map((vaccine) => ({ id: vaccine.id, name: vaccine[locale] })),
  }
}
