import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { requireCan } from '#src/accounts/policy.ts'
import { audit } from '#src/kit/records/audit.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import type { Locale } from '#src/kit/text/locale.ts'
import { notFound } from '#src/kit/base/problem.ts'
import { localeShape, rowsOf } from '#src/kit/db/rows.server.ts'
import { findDuplicates, type Duplicate } from '#src/listings/write/duplicates.server.ts'
import { LISTING_STATES } from '#src/listings/life/life.ts'
import { toUsualPrice, usualPriceOf, usualPriceShape, type UsualPrice } from '#src/listings/browse/usual-price.server.ts'
import { getProduct, type Product } from '#src/listings/queries.server.ts'
import { nameIn } from '#src/listings/fields/name-in.server.ts'
import type { SeenListing } from '#src/listings/fields/seen-listing.ts'
import type { LastLook } from './listing-changes.server.ts'

const getSellerLocaleRow = z.object({ locale: localeShape })

/** The seller's language, for the verdict. */
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
  /** The account that typed it in, when it was not the seller. */
  typedBy: { id: number; name: string } | null
  others: OtherListing[]
  /** Includes those that are not shown. */
  othersCount: number
  duplicates: Duplicate[]
  /** One duplicate with all its facts: the requested one, else the most likely one. */
  beside: Product | null
  usualPrice: UsualPrice | null
  lastLook: LastLook | null
  /** The newest first. */
  questions: { question: string; askedAt: Date; answer: string | null }[]
}

const OTHERS_SHOWN = 8

/**
 * Everything that an admin needs for a verdict. It contains a person's phone number and street, so the read is audited. `besideId`: the
 * duplicate to show beside it.
 */
export async function getToVerify(ctx: Ctx, id: number, besideId: number | null = null): Promise<ToVerify> {
  requireCan(ctx, 'operate')
  const product = await getProduct(ctx, id)
  const { seller, createdById } = product
  const [rows, duplicates] = await Promise.all([
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
        ) o) as others,
        (select json_build_object('passed', v.passed, 'at', floor(extract(epoch from v.created_at) * 1000), 'seen', (select s.seen from seen_listings s where s.verification_id = v.id))
          from verifications v where v.listing_id = ${id}::bigint order by v.id desc limit 1) as last_look,
        (select coalesce(json_agg(json_build_object('question', q.question, 'answer', q.answer,
          'at', floor(extract(epoch from q.asked_at) * 1000)) order by q.id desc), '[]')
          from listing_questions q where q.listing_id = ${id}::bigint) as questions,
        (select row_to_json(p) from (${usualPriceOf(ctx, id)}) p) as usual_price`,
      sellerRow,
    ),
    findDuplicates(ctx, id),
  ])
  const row = rows[0]!
  const besideOne = duplicates.find((each) => each.id === besideId) ?? duplicates[0]
  const beside = besideOne ? await getProduct(ctx, besideOne.id) : null
  await audit(ctx, 'sensitive_read', `user:${seller.id}`, { what: 'addresses', listing: id })
  return {
    product,
    typedBy: createdById === seller.id ? null : { id: createdById, name: row.typed_by },
    others: row.others.map((other) => ({ ...other, price: BigInt(other.price) })),
    othersCount: row.count,
    duplicates,
    beside,
    usualPrice: toUsualPrice(row.usual_price),
    lastLook: row.last_look && { ...row.last_look, at: new Date(row.last_look.at) },
    questions: row.questions.map(({ at, ...question }) => ({ ...question, askedAt: new Date(at) })),
  }
}

const sellerRow = z.object({
  last_look: z.object({ passed: z.boolean(), at: z.number(), seen: z.custom<SeenListing>().nullable() }).nullable(),
  questions: z.array(z.object({ question: z.string(), answer: z.string().nullable(), at: z.number() })),
  usual_price: usualPriceShape,
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
