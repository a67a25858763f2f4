import type { SQL } from 'drizzle-orm'

/** One domain's part of who may see a picture or a clip: conditions of a statement about its media key. */
export interface MediaRights {
  /** Everybody may see it; undefined where a domain has no public media. */
  isPublic?: (key: string) => SQL
  /** This person may see it, `me` being their id. Admins may see everything and are not asked about here. */
  isFor: (key: string, me: SQL) => SQL
}
