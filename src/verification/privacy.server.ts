import { asc, eq, inArray } from 'drizzle-orm'
import type { Ctx } from '#src/kit/context.ts'
import { listings } from '#src/listings/tables.ts'
import { freshVerdicts, listingQuestions, secondLooks, seenListings, verificationClaims, verificationSkips } from './tables.ts'

/** Data export of this domain: earlier words of the person's listings, and questions about them. */
export async function exportPerson({ db }: Ctx, userId: number): Promise<object> {
  const { listingId, name, description, nameEn, descriptionEn, createdAt } = secondLooks
  return {
    wordsBeforeSecondLook: await db
      .select({ listingId, name, description, nameEn, descriptionEn, createdAt })
      .from(secondLooks)
      .innerJoin(listings, eq(listings.id, listingId))
      .where(eq(listings.sellerId, userId))
      .orderBy(asc(listingId)),
    seenAtVerdicts: await db
      .select({ listingId: seenListings.listingId, seen: seenListings.seen })
      .from(seenListings)
      .innerJoin(listings, eq(listings.id, seenListings.listingId))
      .where(eq(listings.sellerId, userId))
      .orderBy(asc(seenListings.verificationId)),
    questions: await db
      .select({
        listingId: listingQuestions.listingId,
        question: listingQuestions.question,
        askedAt: listingQuestions.askedAt,
        answer: listingQuestions.answer,
        answeredAt: listingQuestions.answeredAt,
      })
      .from(listingQuestions)
      .innerJoin(listings, eq(listings.id, listingQuestions.listingId))
      .where(eq(listings.sellerId, userId))
      .orderBy(asc(listingQuestions.id)),
  }
}

/** Call it in the erasure's transaction. */
export async function forgetPerson({ db }: Ctx, userId: number): Promise<string[]> {
  const own = db.select({ id: listings.id }).from(listings).where(eq(listings.sellerId, userId))
  await db.delete(secondLooks).where(inArray(secondLooks.listingId, own))
  await db.delete(freshVerdicts).where(inArray(freshVerdicts.listingId, own))
  await db.delete(listingQuestions).where(inArray(listingQuestions.listingId, own))
  await db.delete(seenListings).where(inArray(seenListings.listingId, own))
  await db.delete(verificationClaims).where(eq(verificationClaims.adminId, userId))
  await db.delete(verificationSkips).where(eq(verificationSkips.adminId, userId))
  return []
}
