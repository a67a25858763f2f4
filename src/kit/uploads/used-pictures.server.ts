import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Ctx } from '../context.ts'
import type { Db } from '#src/kit/db/db.ts'
import { oneRowOf, rowsOf } from '#src/kit/db/rows.server.ts'
import type { UsedPictures } from '#src/kit/media/media-rights.ts'
import type { MediaStore } from '#src/kit/media/media-store.server.ts'
import { dropPictures } from './take-picture.server.ts'

const keyRow = z.object({ key: z.string() })

const anyRow = (used: UsedPictures, condition: (column: string) => string) =>
  used.map(([table, column]) => `exists (select 1 from ${table} where ${condition(column)})`).join(' or ')

/** Returns the referenced ones of these keys; the others are orphans (sweep-pictures.server.ts). */
export async function usedKeysOf(used: UsedPictures, db: Db, keys: string[]): Promise<Set<string>> {
  const isNamed = anyRow(used, (column) => `${column} = k.key`)
  const rows = await rowsOf(
    { db },
    sql`select k.key from jsonb_array_elements_text(${JSON.stringify(keys)}::jsonb) as k(key) where ${sql.raw(isNamed)}`,
    keyRow,
  )
  return new Set(rows.map(({ key }) => key))
}

/** The statement for all referenced keys, in column `key`. */
export const namedKeysSql = (used: UsedPictures): string =>
  used.map(([table, column]) => `select ${column} as key from ${table} where ${column} is not null`).join(' union ')

export async function namedKeysOf(used: UsedPictures, db: Db): Promise<string[]> {
  const rows = await rowsOf({ db }, sql.raw(namedKeysSql(used)), keyRow)
  return rows.map(({ key }) => key)
}

const usesRow = z.object({ uses: z.boolean() })

export async function isAnyPictureUsed(used: UsedPictures, db: Db): Promise<boolean> {
  const isAny = anyRow(used, (column) => `${column} is not null`)
  return (await oneRowOf({ db }, sql`select ${sql.raw(isAny)} as uses`, usesRow)).uses
}

/** Call it after the commit that removed the rows. Keeps pictures that other rows of `used` still reference. */
export async function dropUnusedPictures(ctx: Ctx, media: MediaStore, used: UsedPictures, keys: string[]): Promise<void> {
  if (keys.length === 0) return
  const kept = await usedKeysOf(used, ctx.db, keys)
  await dropPictures(
    ctx,
    media,
    keys.filter((key) => !kept.has(key)),
  )
}
