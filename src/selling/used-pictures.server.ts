import { sql } from 'drizzle-orm'
import type { Db } from '#src/kit/database.server.ts'

/** Which of these keys a person, a listing or a draft has: the others are nobody's (kit/sweep-pictures.server.ts). */
export async function usedPictureKeys(db: Db, keys: string[]): Promise<Set<string>> {
  const { rows } = (await db.execute(sql`
    select k.key from jsonb_array_elements_text(${JSON.stringify(keys)}::jsonb) as k(key)
    where exists (select 1 from listing_photos p where p.media_key = k.key)
      or exists (select 1 from draft_photos d where d.media_key = k.key)
      or exists (select 1 from users u where u.picture_key = k.key)`)) as unknown as { rows: { key: string }[] }
  return new Set(rows.map(({ key }) => key))
}
