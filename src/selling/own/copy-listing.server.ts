import { randomUUID } from 'node:crypto'
import { can, requireLoggedIn } from '#src/accounts/policy.ts'
import type { Ctx } from '#src/kit/context.ts'
import type { MediaStore } from '#src/kit/media/media-store.server.ts'
import { captionFields } from '../captions.ts'
import { getEditedListing } from '#src/selling/listing/edit-listing.server.ts'
import { hasUnfinishedForm } from '#src/selling/own/own-listings.server.ts'
import type { Typed } from '#src/selling/unsent/draft-fields.ts'
import { removeDraft, saveDraft } from '#src/selling/unsent/drafts.server.ts'

/**
 * Facts that are true of the one animal alone, or were stated about it when it was listed. Photos, clips and the ear
 * tag never come along.
 */
const notCopied = ['version', 'isOldEnough', 'isAllowed', ...captionFields]

/**
 * Fills the sell form with the facts of one's own listing, in whatever state it is; an admin's is for the same seller. False, and nothing is
 * done, when an unfinished animal stands in the form and `isOver` does not say that it may go. NOT_FOUND.
 */
export async function copyListing(ctx: Ctx, media: MediaStore, id: number, { isOver }: { isOver: boolean }): Promise<boolean> {
  const { typed, sellerId, ownerName } = await getEditedListing(ctx, id)
  if (await hasUnfinishedForm(ctx, requireLoggedIn(ctx).id)) {
    if (!isOver) return false
    await removeDraft(ctx, media)
  }
  const copied = Object.fromEntries(Object.entries(typed).filter(([name]) => !notCopied.includes(name)))
  const copy: Typed = {
    ...copied,
    key: randomUUID(),
    ...(can(ctx.viewer, 'operate') && { sellerId: String(sellerId) }),
    // The owner is asked for this animal, too: their number and the fee are typed again.
    ...(ownerName !== null && can(ctx.viewer, 'list-for-owner') && { whose: 'other', ownerName }),
  }
  await saveDraft(ctx, { typed: copy, version: null })
  return true
}
