import { sql } from 'drizzle-orm'
import type { MediaRights } from '#src/kit/media/media-rights.ts'
import { isPublic } from '#src/listings/browse/browse.server.ts'
import { isProofSeen } from './proofs/proof-select.server.ts'

/**
 * Photos and clips of public listings are public; those of others are for the owner. A clip that waits for its listing is for its owner. Clips
 * of milkings are public once an admin has passed them.
 */
export const listingMedia: MediaRights = {
  usedPictures: [
    ['listing_photos', 'media_key'],
    ['listing_clips', 'media_key'],
    ['listing_clips', 'still_key'],
    ['milkings', 'media_key'],
    ['milkings', 'still_key'],
    ['day_photos', 'media_key'],
  ],
  isPublic: (key) => sql`(
    exists (select 1 from listing_photos p join listings l on l.id = p.listing_id where p.media_key = ${key} and ${isPublic})
    or exists (select 1 from listing_clips c join listings l on l.id = c.listing_id
        where (c.media_key = ${key} or c.still_key = ${key}) and ${isPublic})
    or exists (select 1 from milkings k join listings l on l.id = k.listing_id
        where (k.media_key = ${key} or k.still_key = ${key}) and ${isPublic} and ${isProofSeen(sql`k`)}))`,
  isFor: (key, me) => sql`(
    exists (select 1 from listing_photos p join listings l on l.id = p.listing_id
        where p.media_key = ${key} and ${me} in (l.seller_id, l.created_by_id))
    or exists (select 1 from listing_clips c left join listings l on l.id = c.listing_id where (c.media_key = ${key} or c.still_key = ${key})
        and (${me} in (l.seller_id, l.created_by_id) or c.form is not null and c.owner_id = ${me}))
    or exists (select 1 from milkings k join listings l on l.id = k.listing_id
        where (k.media_key = ${key} or k.still_key = ${key}) and ${me} in (l.seller_id, l.created_by_id)))`,
}
