import { sql } from 'drizzle-orm'
import type { MediaRights } from '#src/kit/media/media-rights.ts'

/** Portraits of active people are public; an inactive person sees their own. */
export const accountMedia: MediaRights = {
  usedPictures: [['users', 'picture_key']],
  isPublic: (key) => sql`exists (select 1 from users where picture_key = ${key} and is_active)`,
  isFor: (key, me) => sql`exists (select 1 from users where picture_key = ${key} and id = ${me})`,
}
