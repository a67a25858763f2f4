import { vaccines, type Vaccine } from './reference-data.ts'

/** When a young animal usually gets its first dose. `injury`: not by age, but with a wound or before giving birth. */
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

/** The usual vaccines of a kind of animal, the earliest first. */
export function vaccinesOf(categoryId: number): (Vaccine & { first: FirstAge })[] {
  return vaccines
    .filter(({ categoryIds }) => categoryIds.includes(categoryId))
    .map((vaccine) => ({ ...vaccine, first: firstAges[vaccine.code]! }))
    .toSorted((a, b) => inDays(a.first) - inDays(b.first))
}

const DAYS = { day: 1, week: 7, month: 30 }
const inDays = (age: FirstAge) => (age.unit === 'injury' ? Infinity : age.from * DAYS[age.unit])
