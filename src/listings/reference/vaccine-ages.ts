import { breeds, buffaloBreedIds, vaccines, type Vaccine } from './reference-data.ts'
import { usualRepeat, type Repeat } from './vaccination-schedule.ts'

/** The usual age at the first dose. `injury`: with a wound or before giving birth, independent of age. */
export type FirstAge = { unit: 'day' | 'week' | 'month'; from: number; to?: number } | { unit: 'injury' }

const months = (from: number, to?: number): FirstAge => ({ unit: 'month', from, ...(to !== undefined && { to }) })
const weeks = (from: number, to?: number): FirstAge => ({ unit: 'week', from, ...(to !== undefined && { to }) })
const days = (from: number, to?: number): FirstAge => ({ unit: 'day', from, ...(to !== undefined && { to }) })

const firstAges: Record<string, FirstAge> = {
  FMD: months(4),
  HS: months(6),
  BQ: months(6),
  AX: months(4, 6),
  BRU: months(4, 8),
  THL: months(3),
  LSD: months(3, 4),
  RAB: months(3),
  PPR: months(3, 4),
  ET: months(4),
  GP: months(3),
  SP: months(3),
  BT: months(3),
  TT: { unit: 'injury' },
  CCPP: months(3),
  RD: days(5, 7),
  FP: weeks(6),
  IBD: days(14),
  MD: days(1),
  IB: days(7),
  DHPPi: weeks(6, 8),
  LEP: weeks(8),
  EI: months(6),
}

const CATTLE = 1
const BROILER = breeds.find(({ en }) => en === 'Broiler')!.id

/** Whether animals of this breed usually get it. Cattle get rabies vaccine after a bite only, on a vet's advice. */
function isUsual(code: string, { id, categoryId }: { id: number; categoryId: number }): boolean {
  if (categoryId === CATTLE && code === 'RAB') return false
  if (buffaloBreedIds.includes(id) && code === 'THL') return false
  // Broilers are sold at six weeks.
  return id !== BROILER || code === 'RD' || code === 'IBD'
}

/** The usual vaccines of a breed with their intervals, earliest first. */
export function vaccinesOf(breed: { id: number; categoryId: number }): (Vaccine & { first: FirstAge; repeat: Repeat })[] {
  return vaccines
    .filter(({ code, categoryIds }) => categoryIds.includes(breed.categoryId) && isUsual(code, breed))
    .map((vaccine) => {
      const { thirdDays, ...repeat } = usualRepeat(vaccine.code)
      // The third dose of Ranikhet is due in the eighth week, when broilers are sold.
      const third = thirdDays === undefined || breed.id === BROILER ? {} : { thirdDays }
      return { ...vaccine, first: firstAges[vaccine.code]!, repeat: { ...repeat, ...third } }
    })
    .toSorted((a, b) => inDays(a.first) - inDays(b.first))
}

const DAYS = { day: 1, week: 7, month: 30 }
const inDays = (age: FirstAge) => (age.unit === 'injury' ? Infinity : age.from * DAYS[age.unit])
