import { eq } from 'drizzle-orm'
import type { Ctx } from '#src/kit/context.ts'
import { openedTyped } from './drafts.server.ts'
import { draftPhotos, listingDrafts } from './tables.ts'

/** What this domain knows of a person, for himself. */
export async function exportPerson(ctx: Ctx, userId: number): Promise<object> {
  const [draft] = await ctx.db
    .select({ typed: listingDrafts.typed, savedAt: listingDrafts.savedAt })
    .from(listingDrafts)
    .where(eq(listingDrafts.ownerId, userId))
  return { listingDraft: draft ? { ...draft, typed: openedTyped(ctx, draft.typed) } : null }
}

/** In the transaction of the erasure. Answers the pictures to remove after the commit. */
export async function forgetPerson(ctx: Ctx, userId: number): Promise<string[]> {
  const photos = await ctx.db
    .select({ key: draftPhotos.mediaKey })
    .from(draftPhotos)
    .innerJoin(listingDrafts, eq(listingDrafts.id, draftPhotos.draftId))
    .where(eq(listingDrafts.ownerId, userId))
  await ctx.db.delete(listingDrafts).where(eq(listingDrafts.ownerId, userId))
  return photos.map(({ key }) => key)
}
