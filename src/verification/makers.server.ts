import { eq } from 'drizzle-orm'
import type { Ctx } from '#src/kit/context.ts'
import { listings } from '#src/listings/tables.ts'
import { wordColumns } from '#src/listings/write/write-listing.server.ts'
import type { verifications } from './tables.ts'
import { addVerdict } from './verify-listing.server.ts'
import { noteChangedWords } from './second-looks.server.ts'

interface NewWords {
  name?: string
  description?: string
  nameEn?: string | null
  descriptionEn?: string | null
}

/** Changes the words of a passed listing, as its seller does. */
export async function makeSecondLook(ctx: Ctx, listingId: number, words: NewWords): Promise<void> {
  const [listing] = await ctx.db.select().from(listings).where(eq(listings.id, listingId))
  const after = { ...listing!, nameEn: null, descriptionEn: null, ...words }
  await ctx.db
    .update(listings)
    .set({ ...wordColumns(after), version: listing!.version + 1 })
    .where(eq(listings.id, listingId))
  await noteChangedWords(ctx, listing!, { ...after, isStillPassed: true })
}

export async function makeVerification(ctx: Ctx, { listingId, ...verdict }: typeof verifications.$inferInsert): Promise<void> {
  for (const listing of await ctx.db.select().from(listings).where(eq(listings.id, listingId))) await addVerdict(ctx, listing, verdict)
}
