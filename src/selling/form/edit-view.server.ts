import type { Ctx, Site } from '#src/kit/context.ts'
import { indianDay } from '#src/kit/time-money/dates.ts'
import type { FormPage } from '#src/kit/http/page.server.ts'
import { getEditedListing } from '#src/selling/listing/edit-listing.server.ts'
import { clipOnWire } from '#src/listings/clips/clip-wire.server.ts'
import { findDraft } from '#src/selling/unsent/drafts.server.ts'
import { readFormLookups } from '../lookups.server.ts'
import { readBook, readPriceSettings } from './sell-view.server.ts'

export async function readEditPage(ctx: Ctx, listingId: number, noteAway: Site['noteAway']) {
  const listing = await getEditedListing(ctx, listingId)
  return {
    listing: { ...listing, clips: listing.clips.map(clipOnWire), newClips: listing.newClips.map(clipOnWire) },
    ownerId: ctx.viewer!.id,
    draft: await readDraft(ctx, listing.id),
    book: await readBook(ctx, listing.sellerId, noteAway),
    lookups: await readFormLookups(ctx),
    settings: await readPriceSettings(ctx),
    today: indianDay(ctx.now),
  }
}

async function readDraft(ctx: Ctx, listingId: number) {
  const draft = await findDraft(ctx, listingId)
  if (!draft) return null
  // Version 0: photos were sent, and nothing was typed yet.
  return { typed: draft.version > 0 ? draft.typed : null, version: draft.version, photos: draft.photos }
}

export type EditPageData = FormPage<typeof readEditPage>
