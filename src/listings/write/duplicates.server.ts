import { sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import type { Ctx } from '#src/kit/context.ts'
import { SAME_PICTURE_DISTANCE } from '#src/kit/media/pictures.server.ts'
import { rowsOf } from '#src/kit/db/rows.server.ts'
import { hidePhones } from '#src/kit/text/phones-in-text.ts'
import { nameIn } from '#src/listings/fields/name-in.server.ts'
import { LISTING_STATES } from '#src/listings/life/life.ts'
import { isWithoutPrint } from '#src/listings/prints/prints.server.ts'

/**
 * The reason why another listing may show the same animal. This is only a hint: two white bulls in front of the same
 * wall look alike too.
 */
export type Likeness = 'same-file' | 'similar-picture' | 'same-tag'

const duplicateRow = z.object({
  id: z.number(),
  name: z.string(),
  state: z.enum(LISTING_STATES).exclude(['draft']),
  isSold: z.boolean(),
  seller: z.object({ id: z.number(), name: z.string() }),
  isSameSeller: z.boolean(),
  photoKey: z.string().nullable(),
  isSameFile: z.boolean().nullable(),
  hasTag: z.boolean(),
})
export interface Duplicate extends Omit<z.output<typeof duplicateRow>, 'isSameFile' | 'hasTag'> {
  why: Likeness[]
}

const SHOWN = 12

/** Photos `p` of other listings whose dhash is close to that of one of this listing's photos. */
const inDots = (listingId: number, which: SQL) => sql`
      select p.listing_id, p.media_key, false, least(bit_count(p.look # m.first), bit_count(p.look # m.second), bit_count(p.look # m.third))
      from mine m, (select *, ('x' || dhash)::bit(64) as look from listing_photos p
        where listing_id <> ${listingId}::bigint and ${which} offset 0) p
      where least(bit_count(p.look # m.first), bit_count(p.look # m.second), bit_count(p.look # m.third)) <= ${SAME_PICTURE_DISTANCE}`

const hasUnprinted = (listingId: number) => sql`(
  select exists (select 1 from listing_photos o where o.listing_id = ${listingId}::bigint
    and not exists (select 1 from photo_prints q where q.photo_id = o.id)))`

/**
 * Other listings with one of this listing's pictures (the same file or a copy), and other live or pending ones with its ear tag. For admins only. A
 * new picture has no print for about a minute; until then its 64-bit dhash is compared.
 */
export async function findDuplicates(ctx: Ctx, listingId: number): Promise<Duplicate[]> {
  const rows = await rowsOf(
    ctx,
    sql`
    with me as (select id, seller_id, tag_mac from listings where id = ${listingId}::bigint),
    -- A listing has at most three pictures, and one row with three hashes compares faster than three rows.
    mine as materialized (
      select array_agg(p.sha256) as files,
        (array_agg(('x' || p.dhash)::bit(64)) filter (where p.position = 0))[1] as first,
        (array_agg(('x' || p.dhash)::bit(64)) filter (where p.position = 1))[1] as second,
        (array_agg(('x' || p.dhash)::bit(64)) filter (where p.position = 2))[1] as third
      from listing_photos p where p.listing_id = ${listingId}::bigint
    ),
    alike as (
      select p.listing_id, p.media_key, true as is_same_file, 0 as apart
      from mine m join listing_photos p on p.sha256 = any (m.files) where p.listing_id <> ${listingId}::bigint
      union all
      select p.listing_id, p.media_key, false, 0 from listing_photos o
      join lateral (
        select copy_id as id from photo_copies where photo_id = o.id union all select photo_id from photo_copies where copy_id = o.id
      ) c on true
      join listing_photos p on p.id = c.id where o.listing_id = ${listingId}::bigint and p.listing_id <> ${listingId}::bigint
      union all
      ${inDots(listingId, isWithoutPrint)}
      union all
      -- A one-time condition: when every picture has its print, PostgreSQL reads no other photo.
      ${inDots(listingId, hasUnprinted(listingId))}
    ),
    pictures as (
      select listing_id, bool_or(is_same_file) as is_same_file, (array_agg(media_key order by is_same_file desc, apart))[1] as media_key
      from alike group by listing_id
    ),
    tags as (
      select l.id from listings l, me where l.tag_mac = me.tag_mac and l.id <> me.id
        and l.state in ('pending', 'passed') and not l.is_sold and l.stock > 0
    )
    select l.id::float8 as id, ${nameIn(ctx.locale)} as name, l.state, l.is_sold or l.stock = 0 as "isSold",
      json_build_object('id', u.id, 'name', u.name) as seller, l.seller_id = me.seller_id as "isSameSeller",
      coalesce(p.media_key, (select f.media_key from listing_photos f where f.listing_id = l.id order by f.position limit 1)) as "photoKey",
      p.is_same_file as "isSameFile", t.id is not null as "hasTag"
    from me, pictures p full join tags t on t.id = p.listing_id
      join listings l on l.id = coalesce(p.listing_id, t.id) join users u on u.id = l.seller_id
    where l.state <> 'draft'
    order by t.id is not null desc, p.is_same_file desc nulls last, l.id desc limit ${SHOWN}`,
    duplicateRow,
  )
  return rows.map(({ isSameFile, hasTag, ...other }) => ({
    ...other,
    name: hidePhones(other.name),
    why: [
      ...(hasTag ? ['same-tag' as const] : []),
      ...(isSameFile === true ? ['same-file' as const] : isSameFile === false ? ['similar-picture' as const] : []),
    ],
  }))
}
