import type { Ctx } from '../context.ts'

/**
 * The names of the objects that a cached page shows. A change of the market names the same objects (the triggers of migrations/0047_pages_by_name.sql
 * write them). Every page carries `COUNTS` by default, because it may count or list the animals for sale.
 */
export const COUNTS = 'counts'
export const animalName = (id: number): string => `animal ${id}`
export const breedName = (id: number | null): string => `breed ${id ?? 0}`
export const sellerName = (id: number): string => `seller ${id}`

/**
 * Call this in the function that builds a whole page when only these names can change it: the page no longer depends on which animals are for sale.
 */
export function countsOnly({ shows }: Ctx, names: string[]): void {
  shows?.delete(COUNTS)
  for (const name of names) shows?.add(name)
}
