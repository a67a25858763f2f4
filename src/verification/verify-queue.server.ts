import { sql } from 'drizzle-orm'
import { can } from '#src/accounts/rules.ts'
import { audit } from '#src/kit/audit.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import type { Locale } from '#src/kit/locale.ts'
import { notFound, Problem } from '#src/kit/problem.ts'
import { isSellerActive } from './browse.server.ts'
import { findDuplicates, type Duplicate } from './duplicates.server.ts'
import { getProduct, type Product } from './queries.server.ts'

/** What waits for this admin's verdict, the longest first: not what is his own, nor what cannot be bought anyway. */
const waiting = (ctx: Ctx) =>
  sql`l.state = 'pending' and not l.is_sold and l.stock > 0 and l.seller_id <> ${ctx.viewer!.id}::bigint
    and l.created_by_id <> ${ctx.viewer!.id}::bigint and ${isSellerActive}`

interface QueuePlace {
  /** How many wait. */
  count: number
  /** The listing looked at: the one that was asked for, else the first; null when none waits. */
  id: number | null
  /** Its place among those that wait, from 1; null for one that waits no more. */
  place: number | null
  previousId: number | null
  nextId: number | null
}

/** Where a listing stands among those that wait. One that was decided meanwhile keeps its place between its neighbours. */
export async function findInQueue(ctx: Ctx, wantedId: number | null): Promise<QueuePlace> {
  if (!can(ctx.viewer, 'operate')) throw new Problem('ROLE_FORBIDDEN')
  const { rows } = (await ctx.db.execute(sql`
    with queue as materialized (
      select l.id, l.submitted_at, row_number() over (order by l.submitted_at, l.id) as place from listings l where ${waiting(ctx)}
    ),
    me as (
      select l.id, l.submitted_at from listings l where l.id = ${wantedId}::bigint
      union all (select id, submitted_at from queue where ${wantedId}::bigint is null order by place limit 1)
    )
    select (select count(*)::int from queue) as count, (select id from me) as id,
      (select place::int from queue where id = (select id from me)) as place,
      (select q.id from queue q, me where (q.submitted_at, q.id) < (me.submitted_at, me.id) order by q.place desc limit 1) as previous_id,
      (select q.id from queue q, me where (q.submitted_at, q.id) > (me.submitted_at, me.id) order by q.place limit 1) as next_id`)) as unknown as {
    rows: { count: number; id: string | null; place: number | null; previous_id: string | null; next_id: string | null }[]
  }
  const { count, id, place, previous_id, next_id } = rows[0]!
  const numberOf = (text: string | null) => (text === null ? null : Number(text))
  return { count, id: numberOf(id), place, previousId: numberOf(previous_id), nextId: numberOf(next_id) }
}

/** In which language the seller reads what is decided. */
export async function getSellerLocale(ctx: Ctx, listingId: number): Promise<Locale> {
  if (!can(ctx.viewer, 'operate')) throw new Problem('ROLE_FORBIDDEN')
  const { rows } = (await ctx.db.execute(
    sql`select u.locale from listings l join users u on u.id = l.seller_id where l.id = ${listingId}::bigint`,
  )) as unknown as { rows: { locale: Locale }[] }
  if (!rows[0]) throw notFound()
  return rows[0].locale
}

interface OtherListing {
  id: number
  name: string
  state: Product['state']
  isSold: boolean
  price: bigint
  photoKey: string | null
}

export interface ToVerify {
  product: Product
  /** The account that typed it in, where it was not the seller. */
  typedBy: { id: number; name: string } | null
  others: OtherListing[]
  /** With those that are not shown. */
  othersCount: number
  duplicates: Duplicate[]
}

const OTHERS_SHOWN = 8

/** Everything one needs to know before one decides. A look at somebody's number and street, and noted as such. */
export async function getToVerify(ctx: Ctx, id: number): Promise<ToVerify> {
  if (!can(ctx.viewer, 'operate')) throw new Problem('ROLE_FORBIDDEN')
  const product = await getProduct(ctx, id)
  const { seller, createdById } = product
  const [{ rows }, duplicates] = await Promise.all([
    ctx.db.execute(sql`
      select (select name from users where id = ${createdById}::bigint) as typed_by,
        (select count(*)::int from listings l where l.seller_id = ${seller.id}::bigint and l.id <> ${id}::bigint and l.state <> 'draft') as count,
        (select coalesce(json_agg(o), '[]') from (
          select l.id, ${ctx.locale === 'en' ? sql`coalesce(l.name_en, l.name)` : sql`l.name`} as name, l.state,
            l.is_sold or l.stock = 0 as "isSold", l.price::text as price, p.media_key as "photoKey"
          from listings l left join listing_photos p on p.listing_id = l.id and p.position = 0
          where l.seller_id = ${seller.id}::bigint and l.id <> ${id}::bigint and l.state <> 'draft' order by l.id desc limit ${OTHERS_SHOWN}
        ) o) as others`) as unknown as Promise<{ rows: SellerRow[] }>,
    findDuplicates(ctx, id),
  ])
  const row = rows[0]!
  await audit(ctx, 'sensitive_read', `user:${seller.id}`, { what: 'addresses', listing: id })
  return {
    product,
    typedBy: createdById === seller.id ? null : { id: createdById, name: row.typed_by },
    others: row.others.map((other) => ({ ...other, price: BigInt(other.price) })),
    othersCount: row.count,
    duplicates,
  }
}

interface SellerRow {
  typed_by: string
  count: number
  others: (Omit<OtherListing, 'price'> & { price: string })[]
}
