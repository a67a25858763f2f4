import { asc, eq, inArray } from 'drizzle-orm'
import type { Ctx } from '#src/kit/context.ts'
import { listings } from '#src/listings/tables.ts'
import { vetCheckPhotos, vetChecks, vetHolds } from './tables.ts'

/** The data of this domain in a person's export: what they checked and hold as a vet. */
export async function exportPerson({ db }: Ctx, userId: number): Promise<object> {
  return {
    vetHolds: await db.select().from(vetHolds).where(eq(vetHolds.vetId, userId)),
    vetChecks: await db.select().from(vetChecks).where(eq(vetChecks.vetId, userId)).orderBy(asc(vetChecks.id)),
  }
}

/**
 * Releases the person's holds, and deletes the photos that vets took of the person's animals. A vet's findings stay with the animal without a
 * name. Call it in the erasure's transaction. Returns the pictures to remove after the commit.
 */
export async function forgetPerson({ db }: Ctx, userId: number): Promise<string[]> {
  await db.delete(vetHolds).where(eq(vetHolds.vetId, userId))
  const own = db.select({ id: listings.id }).from(listings).where(eq(listings.sellerId, userId))
  const checks = db.select({ id: vetChecks.id }).from(vetChecks).where(inArray(vetChecks.listingId, own))
  const photos = await db.delete(vetCheckPhotos).where(inArray(vetCheckPhotos.checkId, checks)).returning({ key: vetCheckPhotos.mediaKey })
  return photos.map(({ key }) => key)
}
