import { asc, eq, inArray } from 'drizzle-orm'
import type { Ctx } from '#src/kit/context.ts'
import { listings } from '#src/listings/tables.ts'
import { secondLooks } from './tables.ts'

/** What this domain knows of a person, for that person: earlier words of their listings. */
export async function exportPerson({ db }: Ctx, userId: number): Promise<object> {
  const { listingId, name, description, nameEn, descriptionEn, createdAt } = secondLooks
  return {
    wordsBeforeSecondLook: await db
      .select({ listingId, name, description, nameEn, descriptionEn, createdAt })
      .from(secondLooks)
      .innerJoin(listings, eq(listings.id, listingId))
      .where(eq(listings.sellerId, userId))
      .orderBy(asc(listingId)),
  }
}

/** Runs in the transaction of the erasure. */
export async function forgetPerson({ db }: Ctx, userId: number): Promise<string[]> {
  const own = db.select({ id: listings.id }).from(listings).where(eq(listings.sellerId, userId))
  await db.delete(secondLooks).where(inArray(secondLooks.listingId, own))
  return []
}
