import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Ctx } from '#src/kit/context.ts'
import type { Db } from '#src/kit/db/database.server.ts'
import type { MediaStore } from '#src/kit/media/media-store.server.ts'
import { rowsOf } from '#src/kit/db/rows.server.ts'
import { dropPictures } from '#src/kit/media/take-picture.server.ts'

/** Every column that references a picture or a clip. */
const namingColumns = [
  ['listing_photos', 'media_key'],
  ['draft_photos', 'media_key'],
  ['order_photos', 'media_key'],
  ['vet_check_photos', 'media_key'],
  ['waiting_photos', 'media_key'],
  ['listing_clips', 'media_key'],
  ['listing_clips', 'still_key'],
  ['milkings', 'media_key'],
  ['milkings', 'still_key'],
  ['day_photos', 'media_key'],
  ['users', 'picture_key'],
  ['bearers', 'picture_key'],
  ['orders', "animal->>'photoKey'"],
] as const

const keyRow = z.object({ key: z.string() })

const anyRow = (condition: (column: string) => string) =>
  namingColumns.map(([table, column]) => `exists (select 1 from ${table} where ${condition(column)})`).join(' or ')

/** Which of these keys are referenced; the others are orphans (kit/media/sweep-pictures.server.ts). */
export async function usedPictureKeys(db: Db, keys: string[]): Promise<Set<string>> {
  const isNamed = anyRow((column) => `${column} = k.key`)
  const rows = await rowsOf(
    { db },
    sql`select k.key from jsonb_array_elements_text(${JSON.stringify(keys)}::jsonb) as k(key) where ${sql.raw(isNamed)}`,
    keyRow,
  )
  return new Set(rows.map(({ key }) => key))
}

/** All referenced picture keys, in column `key`. */
export const NAMED_PICTURE_KEYS = namingColumns
  .map(([table, column]) => `select ${column} as key from ${table} where ${column} is not null`)
  .join(' union ')

export async function namedPictureKeys(db: Db): Promise<string[]> {
  const rows = await rowsOf({ db }, sql.raw(NAMED_PICTURE_KEYS), keyRow)
  return rows.map(({ key }) => key)
}

const usesRow = z.object({ uses: z.boolean() })

export async function usesPictures(db: Db): Promise<boolean> {
  const isAny = anyRow((column) => `${column} is not null`)
  const rows = await rowsOf({ db }, sql`select ${sql.raw(isAny)} as uses`, usesRow)
  return rows[0]!.uses
}

/** Call it after the commit that removed them from a listing. Keeps pictures that an order still references. */
export async function dropUnusedPictures(ctx: Ctx, media: MediaStore, keys: string[]): Promise<void> {
  if (keys.length === 0) return
  const used = await usedPictureKeys(ctx.db, keys)
  await dropPictures(
    ctx,
    media,
    keys.filter((key) => !used.has(key)),
  )
}
