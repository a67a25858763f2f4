import { livestockAges } from '#src/listings/reference/reference-data.ts'

/** The first month of each age band, by id. */
const begins: Record<number, number> = { 1: 0, 2: 3, 3: 6, 4: 9, 5: 12, 6: 24, 7: 36, 8: 48, 9: 60, 10: 84, 11: 120 }

/** The age band for an age in months. */
export const ageOfMonths = (months: number): number => livestockAges.findLast(({ id }) => begins[id]! <= months)!.id
