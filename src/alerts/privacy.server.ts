import { eq } from 'drizzle-orm'
import type { Ctx } from '#src/kit/context.ts'
import { decimalOf } from '#src/kit/time-money/money.ts'
import { alertDays, alertsOff, savedListings, savedSearches } from './tables.ts'

export async function exportPerson({ db }: Ctx, userId: number): Promise<object> {
  const saved = await db.select().from(savedListings).where(eq(savedListings.userId, userId))
  return {
    savedListings: saved.map(({ listingId, knownPrice, createdAt }) => ({ listingId, knownPrice: decimalOf(knownPrice), createdAt })),
    savedSearches: await db
      .select({ category: savedSearches.category, query: savedSearches.query, createdAt: savedSearches.createdAt })
      .from(savedSearches)
      .where(eq(savedSearches.userId, userId)),
    alertsSwitchedOff: (await db.select().from(alertsOff).where(eq(alertsOff.userId, userId))).map(({ kind }) => kind),
  }
}

/** Call it in the erasure's transaction. Deletes everything. */
export async function forgetPerson({ db }: Ctx, userId: number): Promise<string[]> {
  for (const table of [savedListings, savedSearches, alertsOff, alertDays]) await db.delete(table).where(eq(table.userId, userId))
  return []
}
