import { sql } from 'drizzle-orm'
import type { MediaRights } from '#src/kit/media/media-rights.ts'

/** Photos of drafts, and of listings that still wait on a phone, are for their owner. */
export const unsentMedia: MediaRights = {
  isFor: (key, me) => sql`(
    exists (select 1 from draft_photos p join listing_drafts d on d.id = p.draft_id where p.media_key = ${key} and d.owner_id = ${me})
    or exists (select 1 from waiting_photos where media_key = ${key} and owner_id = ${me}))`,
}
