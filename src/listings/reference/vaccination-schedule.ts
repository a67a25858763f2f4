import { vaccines } from './reference-data.ts'

/**
 * When each vaccine is due again, from the given doses and the usual interval in Tamil Nadu. This is a reminder for keepers, not a prescription: a
 * vet may advise otherwise.
 */
export interface Given {
  vaccineId: number
  /** 1 primary, 2 booster, 3 revaccination. */
  dose: number
  /** YYYY-MM-DD */
  vaccinatedOn: string
}

interface ScheduleRow {
  vaccineId: number
  /** The day of the last dose. */
  givenOn: string
  /** `done`: no further dose is usual. */
  status: 'done' | 'due' | 'overdue'
  /** The due day, past or future; null when done. */
  dueOn: string | null
}

/** Days to the second dose of a course and from it to the third, or months between seasonal doses; none when one dose lasts for life. */
export interface Repeat {
  boosterDays?: number
  thirdDays?: number
  months?: number
}

const repeats: Record<string, Repeat> = {
  FMD: { months: 6 },
  HS: { months: 12 },
  BQ: { months: 12 },
  AX: { months: 12 },
  BRU: {},
  THL: {},
  LSD: { months: 12 },
  RAB: { months: 12 },
  PPR: { months: 36 },
  ET: { months: 12 },
  GP: { months: 12 },
  SP: { months: 12 },
  BT: { months: 12 },
  TT: { months: 12 },
  CCPP: { months: 12 },
  // Chicks: F1 in the first week, Lasota three weeks later; R2B in the eighth week ends the course.
  RD: { boosterDays: 21, thirdDays: 28 },
  FP: {},
  IBD: {},
  MD: {},
  IB: {},
  DHPPi: { boosterDays: 28, months: 12 },
  LEP: { months: 12 },
  EI: { months: 12 },
}

export const usualRepeat = (code: string): Repeat => repeats[code] ?? {}

const PRIMARY = 1
const BOOSTER = 2

/** One row per vaccine, from its last dose: overdue first, then by due day. */
export function scheduleFor(given: readonly Given[], today: string): ScheduleRow[] {
  const last = new Map<number, Given>()
  for (const dose of given) {
    const known = last.get(dose.vaccineId)
    if (!known || dose.vaccinatedOn > known.vaccinatedOn || (dose.vaccinatedOn === known.vaccinatedOn && dose.dose > known.dose))
      last.set(dose.vaccineId, dose)
  }
  return [...last.values()].map((dose) => rowFor(dose, today)).sort((a, b) => ((a.dueOn ?? LAST) < (b.dueOn ?? LAST) ? -1 : 1))
}
const LAST = '9999-12-31'

function rowFor({ vaccineId, dose, vaccinatedOn }: Given, today: string): ScheduleRow {
  const { boosterDays, thirdDays, months } = repeats[vaccines.find(({ id }) => id === vaccineId)?.code ?? ''] ?? {}
  const courseDays = dose === PRIMARY ? boosterDays : dose === BOOSTER ? thirdDays : undefined
  const row = { vaccineId, givenOn: vaccinatedOn }
  const dueOn = courseDays !== undefined ? addDays(vaccinatedOn, courseDays) : months === undefined ? null : addMonths(vaccinatedOn, months)
  if (dueOn === null) return { ...row, status: 'done', dueOn }
  return { ...row, status: dueOn < today ? 'overdue' : 'due', dueOn }
}

function addDays(day: string, days: number): string {
  const date = new Date(day)
  date.setUTCDate(date.getUTCDate() + days)
  return date.toISOString().slice(0, 10)
}

/** Maps the 31st to the last day of a shorter month. */
function addMonths(day: string, months: number): string {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number]
  const lastOfMonth = new Date(Date.UTC(year, month - 1 + months + 1, 0))
  lastOfMonth.setUTCDate(Math.min(date, lastOfMonth.getUTCDate()))
  return lastOfMonth.toISOString().slice(0, 10)
}
