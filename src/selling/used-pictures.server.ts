import { sql } from 'drizzle-orm'
import type { Ctx } from '#src/kit/context.ts'
import type { Db } from '#src/kit/database.server.ts'
import type { MediaStore } from '#src/kit/media-store.server.ts'
import { dropPictures } from '#src/kit/take-picture.server.ts'

/** Which of these keys a person, a listing, a draft or an order has: the others are nobody's (kit/sweep-pictures.server.ts). */
export async function usedPictureKeys(db: Db, keys: string[]): Promise<Set<string>> {
  const { rows } = (await db.execute(sql`
    select k.key from jsonb_array_elements_text(${JSON.stringify(keys)}::jsonb) as k(key)
    where exists (select 1 from listing_photos p where p.media_key = k.key)
      or exists (select 1 from draft_photos d where d.media_key = k.key)
      or exists (select 1 from users u where u.picture_key = k.key)
      or exists (select 1 from order_photos o where o.media_key = k.key)
      or exists (select 1 from orders o where o.animal->>'photoKey' = k.key)`)) as unknown as { rows: { key: string }[] }
  return new Set(rows.map(({ key }) => key))
}

/** After the commit that took them off a listing: an animal that was ordered keeps its picture on the order. */
export async function dropUnusedPictures(ctx: Ctx, media: MediaStore, keys: string[]): Promise<void> {
  if (keys.length === 0) return
  const used = await usedPictureKeys(ctx.db, keys)
  await dropPictures(
    ctx,
    media,
    keys.filter((key) => !used.has(key)),
  )
}
