import { sql } from 'drizzle-orm'
import { listingMedia } from '#src/listings/media.server.ts'
import { orderMedia } from '#src/orders/media.server.ts'
import type { MediaRights, UsedPictures } from '#src/kit/media/media-rights.ts'

/** Photos of drafts, and of listings that still wait on a phone, are for their owner. */
export const unsentMedia: MediaRights = {
  usedPictures: [
    ['draft_photos', 'media_key'],
    ['waiting_photos', 'media_key'],
  ],
  isFor: (key, me) => sql`(
    exists (select 1 from draft_photos p join listing_drafts d on d.id = p.draft_id where p.media_key = ${key} and d.owner_id = ${me})
    or exists (select 1 from waiting_photos where media_key = ${key} and owner_id = ${me}))`,
}

/**
 * Everything that may reference a photo or a clip of a listing: the listing, its draft, its copy on a phone, and
 * orders.
 */
export const usedByListings: UsedPictures = [listingMedia, orderMedia, unsentMedia].flatMap(({ usedPictures }) => usedPictures)
