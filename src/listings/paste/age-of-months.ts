import { livestockAges } from '../reference-data.ts'

/** Months at which each age of the list begins, by its id. */
const begins: Record<number, number> = { 1: 0, 2: 3, 3: 6, 4: 9, 5: 12, 6: 24, 7: 36, 8: 48, 9: 60, 10: 84, 11: 120 }

/** The age of the list in which an animal of so many months is. */
export const ageOfMonths = (months: number): number => livestockAges.findLast(({ id }) => begins[id]! <= months)!.id
