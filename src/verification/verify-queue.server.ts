import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { requireCan } from '#src/accounts/policy.ts'
import { audit } from '#src/kit/db/audit.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import type { Locale } from '#src/kit/text/locale.ts'
import { notFound } from '#src/kit/problem.ts'
import { localeShape, rowsOf } from '#src/kit/db/rows.server.ts'
import { isSellerActive } from '#src/listings/browse.server.ts'
import { findDuplicates, type Duplicate } from '#src/listings/duplicates.server.ts'
import { LISTING_STATES } from '#src/listings/life.ts'
import { toUsualPrice, usualPriceOf, usualPriceShape, type UsualPrice } from '#src/listings/usual-price.server.ts'
import { getProduct, type Product } from '#src/listings/queries.server.ts'
import { nameIn } from '#src/listings/fields/name-in.server.ts'

/**
 * The listings that wait for this admin's verdict, the longest first: without the admin's own, and without those that cannot be bought
 * anyway.
 */
export const waiting = (ctx: Ctx) =>
  sql`l.state = 'pending' and not l.is_sold and l.stock > 0 and l.seller_id <> ${ctx.viewer!.id}::bigint
    and l.created_by_id <> ${ctx.viewer!.id}::bigint and ${isSellerActive}`

interface QueuePlace {
  /** How many wait. */
  count: number
  /** The listing on the page: the requested one, else the first; null when none waits. */
  id: number | null
  /** Its place among those that wait, from 1; null for one that waits no more. */
  place: number | null
  previousId: number | null
  nextId: number | null
}

const findInQueueRow = z.object({
  count: z.number(),
  id: z.string().nullable(),
  place: z.number().nullable(),
  previous_id: z.string().nullable(),
  next_id: z.string().nullable(),
})

/** A listing's place among those that wait. One that was decided meanwhile keeps its place between its neighbours. */
export async function findInQueue(ctx: Ctx, wantedId: number | null): Promise<QueuePlace> {
  requireCan(ctx, 'operate')
  const rows = await rowsOf(
    ctx,
    sql`
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
      (select q.id from queue q, me where (q.submitted_at, q.id) > (me.submitted_at, me.id) order by q.place limit 1) as next_id`,
    findInQueueRow,
  )
  const { count, id, place, previous_id, next_id } = rows[0]!
  const numberOf = (text: string | null) => (text === null ? null : Number(text))
  return { count, id: numberOf(id), place, previousId: numberOf(previous_id), nextId: numberOf(next_id) }
}

export interface QueuedListing {
  id: number
  name: string
  price: bigint
  photoKey: string | null
  submittedAt: Date
  /** An admin has decided about it before. */
  isAgain: boolean
  /** Nothing of this seller has passed yet. */
  isNewSeller: boolean
}

/** How many of the queue stand beside the animal, and how many of them before it. */
const LISTED = 60
const LISTED_BEFORE = 8

const queuedRow = z.object({
  id: z.number(),
  name: z.string(),
  price: z.string(),
  photo_key: z.string().nullable(),
  submitted_ms: z.string(),
  is_again: z.boolean(),
  is_new_seller: z.boolean(),
})

/** The part of the queue around a place in it, counted from 1. */
export async function listQueue(ctx: Ctx, place: number): Promise<QueuedListing[]> {
  requireCan(ctx, 'operate')
  const rows = await rowsOf(
    ctx,
    sql`
    select l.id::int as id, ${nameIn(ctx.locale)} as name, l.price::text as price, floor(extract(epoch from l.submitted_at) * 1000)::bigint as submitted_ms,
      (select p.media_key from listing_photos p where p.listing_id = l.id and p.position = 0) as photo_key,
      exists (select 1 from verifications v where v.listing_id = l.id) as is_again,
      not exists (select 1 from listings o where o.seller_id = l.seller_id and o.state = 'passed') as is_new_seller
    from (select l.* from listings l where ${waiting(ctx)} order by l.submitted_at, l.id
      limit ${LISTED} offset ${Math.max(0, place - 1 - LISTED_BEFORE)}) l
    order by l.submitted_at, l.id`,
    queuedRow,
  )
  return rows.map(({ id, name, price, photo_key, submitted_ms, is_again, is_new_seller }) => ({
    id,
    name,
    price: BigInt(price),
    photoKey: photo_key,
    submittedAt: new Date(Number(submitted_ms)),
    isAgain: is_again,
    isNewSeller: is_new_seller,
  }))
}

const getSellerLocaleRow = z.object({ locale: localeShape })

/** The language in which the seller reads the verdict. */
export async function getSellerLocale(ctx: Ctx, listingId: number): Promise<Locale> {
  requireCan(ctx, 'operate')
  const rows = await rowsOf(
    ctx,
    sql`select u.locale from listings l join users u on u.id = l.seller_id where l.id = ${listingId}::bigint`,
    getSellerLocaleRow,
  )
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
  /** The count includes those that are not shown. */
  othersCount: number
  duplicates: Duplicate[]
  usualPrice: UsualPrice | null
}

const OTHERS_SHOWN = 8

/** Everything an admin needs to know before deciding. It reveals a person's number and street, so the read is audited. */
export async function getToVerify(ctx: Ctx, id: number): Promise<ToVerify> {
  requireCan(ctx, 'operate')
  const product = await getProduct(ctx, id)
  const { seller, createdById } = product
  const [rows, duplicates, usual] = await Promise.all([
    rowsOf(
      ctx,
      sql`
      select (select name from users where id = ${createdById}::bigint) as typed_by,
        (select count(*)::int from listings l where l.seller_id = ${seller.id}::bigint and l.id <> ${id}::bigint and l.state <> 'draft') as count,
        (select coalesce(json_agg(o), '[]') from (
          select l.id, ${nameIn(ctx.locale)} as name, l.state,
            l.is_sold or l.stock = 0 as "isSold", l.price::text as price, p.media_key as "photoKey"
          from listings l left join listing_photos p on p.listing_id = l.id and p.position = 0
          where l.seller_id = ${seller.id}::bigint and l.id <> ${id}::bigint and l.state <> 'draft' order by l.id desc limit ${OTHERS_SHOWN}
        ) o) as others`,
      sellerRow,
    ),
    findDuplicates(ctx, id),
    rowsOf(ctx, usualPriceOf(ctx, id), usualPriceShape),
  ])
  const row = rows[0]!
  await audit(ctx, 'sensitive_read', `user:${seller.id}`, { what: 'addresses', listing: id })
  return {
    product,
    typedBy: createdById === seller.id ? null : { id: createdById, name: row.typed_by },
    others: row.others.map((other) => ({ ...other, price: BigInt(other.price) })),
    othersCount: row.count,
    duplicates,
    usualPrice: toUsualPrice(usual[0]!),
  }
}

const sellerRow = z.object({
  typed_by: z.string(),
  count: z.number(),
  others: z.array(
    z.object({
      id: z.number(),
      name: z.string(),
      state: z.enum(LISTING_STATES),
      isSold: z.boolean(),
      price: z.string(),
      photoKey: z.string().nullable(),
    }),
  ),
})
