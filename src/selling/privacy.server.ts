import { and, asc, eq, inArray, isNotNull } from 'drizzle-orm'
import type { Ctx } from '#src/kit/context.ts'
import { listingClips, listings } from '#src/listings/tables.ts'
import { openedTyped } from '#src/selling/form/drafts.server.ts'
import { clipUploads, draftPhotos, listingDrafts, waitingPhotos } from './tables.ts'

/** What this domain exports to a person about themselves. */
export async function exportPerson(ctx: Ctx, userId: number): Promise<object> {
  const rows = await ctx.db
    .select({ listingId: listingDrafts.listingId, typed: listingDrafts.typed, savedAt: listingDrafts.savedAt })
    .from(listingDrafts)
    .where(eq(listingDrafts.ownerId, userId))
    .orderBy(asc(listingDrafts.id))
  const drafts = rows.map((draft) => ({ ...draft, typed: openedTyped(ctx, draft.typed) }))
  return {
    listingDraft: drafts.find(({ listingId }) => listingId === null) ?? null,
    /** Unsaved changes to listings. */
    listingChanges: drafts.filter(({ listingId }) => listingId !== null),
    /** Of listings that were made without a line and have not come yet. */
    waitingPhotos: await ctx.db
      .select({ position: waitingPhotos.position, createdAt: waitingPhotos.createdAt })
      .from(waitingPhotos)
      .where(eq(waitingPhotos.ownerId, userId))
      .orderBy(asc(waitingPhotos.id)),
    /** Of forms that were not sent yet. */
    waitingClips: await ctx.db
      .select({ kind: listingClips.kind, bytes: listingClips.bytes, millis: listingClips.millis, createdAt: listingClips.createdAt })
      .from(listingClips)
      .where(ownWaiting(userId))
      .orderBy(asc(listingClips.id)),
    unfinishedUploads: await ctx.db
      .select({ length: clipUploads.length, received: clipUploads.received, createdAt: clipUploads.createdAt })
      .from(clipUploads)
      .where(eq(clipUploads.ownerId, userId))
      .orderBy(asc(clipUploads.createdAt)),
  }
}

const ownWaiting = (userId: number) => and(eq(listingClips.ownerId, userId), isNotNull(listingClips.form))

/** In the transaction of the erasure. Answers the pictures to remove after the commit. */
export async function forgetPerson(ctx: Ctx, userId: number): Promise<string[]> {
  const photos = await ctx.db
    .select({ key: draftPhotos.mediaKey })
    .from(draftPhotos)
    .innerJoin(listingDrafts, eq(listingDrafts.id, draftPhotos.draftId))
    .where(eq(listingDrafts.ownerId, userId))
  // An admin's unsaved change to one of their listings holds their words, too.
  const theirs = ctx.db.select({ id: listings.id }).from(listings).where(eq(listings.sellerId, userId))
  await ctx.db.delete(listingDrafts).where(inArray(listingDrafts.listingId, theirs))
  await ctx.db.delete(listingDrafts).where(eq(listingDrafts.ownerId, userId))
  const waiting = await ctx.db.delete(waitingPhotos).where(eq(waitingPhotos.ownerId, userId)).returning({ key: waitingPhotos.mediaKey })
  const clips = await ctx.db
    .delete(listingClips)
    .where(ownWaiting(userId))
    .returning({ key: listingClips.mediaKey, still: listingClips.stillKey })
  await ctx.db.delete(clipUploads).where(eq(clipUploads.ownerId, userId))
  return [...[...photos, ...waiting].map(({ key }) => key), ...clips.flatMap(({ key, still }) => (still ? [key, still] : [key]))]
}
