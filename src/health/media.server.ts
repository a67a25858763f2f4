import { sql } from 'drizzle-orm'
import type { MediaRights } from '#src/kit/media/media-rights.ts'
import { isPublic } from '#src/listings/browse/browse.server.ts'

/** Pictures of a vet's check follow the listing's photos; the vet sees them, too. */
export const checkMedia: MediaRights = {
  usedPictures: [['vet_check_photos', 'media_key']],
  isPublic: (
    key,
  ) => sql`exists (select 1 from vet_check_photos p join vet_checks c on c.id = p.check_id join listings l on l.id = c.listing_id
    where p.media_key = ${key} and ${isPublic})`,
  isFor: (
    key,
    me,
  ) => sql`exists (select 1 from vet_check_photos p join vet_checks c on c.id = p.check_id join listings l on l.id = c.listing_id
    where p.media_key = ${key} and ${me} in (c.vet_id, l.seller_id, l.created_by_id))`,
}
