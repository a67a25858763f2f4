import type { SQL } from 'drizzle-orm'

/** Columns, or expressions on a row, that hold the key of a picture or a clip, each with its table. */
export type UsedPictures = readonly (readonly [table: string, column: string])[]

/** One domain's part of who may see a picture or a clip: conditions of a statement about its media key. */
export interface MediaRights {
  /** The domain's references to pictures. A picture that no domain references is deleted. */
  usedPictures: UsedPictures
  /** Everybody may see it; undefined where a domain has no public media. */
  isPublic?: (key: string) => SQL
  /** This person may see it, `me` being their id. Admins may see everything and are not asked about here. */
  isFor: (key: string, me: SQL) => SQL
}
