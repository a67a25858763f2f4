import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Ctx } from '#src/kit/context.ts'
import type { Db } from '#src/kit/db/database.server.ts'
import type { MediaStore } from '#src/kit/media/media-store.server.ts'
import { rowsOf } from '#src/kit/db/rows.server.ts'
import { dropPictures } from '#src/kit/media/take-picture.server.ts'

const usedPictureKeysRow = z.object({ key: z.string() })

/** Which of these keys a person, a bearer, a listing, a draft or an order uses: the others are orphans (kit/media/sweep-pictures.server.ts). */
export async function usedPictureKeys(db: Db, keys: string[]): Promise<Set<string>> {
  const rows = await rowsOf(
    { db },
    sql`
    select k.key from jsonb_array_elements_text(${JSON.stringify(keys)}::jsonb) as k(key)
    where exists (select 1 from listing_photos p where p.media_key = k.key)
      or exists (select 1 from draft_photos d where d.media_key = k.key)
      or exists (select 1 from users u where u.picture_key = k.key)
      or exists (select 1 from bearers b where b.picture_key = k.key)
      or exists (select 1 from order_photos o where o.media_key = k.key)
      or exists (select 1 from orders o where o.animal->>'photoKey' = k.key)`,
    usedPictureKeysRow,
  )
  return new Set(rows.map(({ key }) => key))
}

const namedPictureKeysRow = z.object({ key: z.string() })

/** Every picture key that some row references, in column `key`. */
export const NAMED_PICTURE_KEYS = `
    select media_key as key from listing_photos union select media_key from draft_photos union select media_key from order_photos
    union select picture_key from users where picture_key is not null
    union select picture_key from bearers where picture_key is not null
    union select animal->>'photoKey' from orders where animal->>'photoKey' is not null`

export async function namedPictureKeys(db: Db): Promise<string[]> {
  const rows = await rowsOf({ db }, sql.raw(NAMED_PICTURE_KEYS), namedPictureKeysRow)
  return rows.map(({ key }) => key)
}

const usesPicturesRow = z.object({ uses: z.boolean() })

/** Whether any row references a picture. */
export async function usesPictures(db: Db): Promise<boolean> {
  const rows = await rowsOf(
    { db },
    sql`
    select exists (select 1 from listing_photos) or exists (select 1 from draft_photos) or exists (select 1 from order_photos)
      or exists (select 1 from users where picture_key is not null)
      or exists (select 1 from bearers where picture_key is not null) as uses`,
    usesPicturesRow,
  )
  return rows[0]!.uses
}

/** Runs after the commit that took them off a listing: an animal that was ordered keeps its picture on the order. */
export async function dropUnusedPictures(ctx: Ctx, media: MediaStore, keys: string[]): Promise<void> {
  if (keys.length === 0) return
  const used = await usedPictureKeys(ctx.db, keys)
  await dropPictures(
    ctx,
    media,
    keys.filter((key) => !used.has(key)),
  )
}
