import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { requireCan } from '#src/accounts/policy.ts'
import { audit } from '#src/kit/records/audit.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import type { Locale } from '#src/kit/text/locale.ts'
import { notFound } from '#src/kit/base/problem.ts'
import { epochMs, localeShape, moneyShape, momentShape, rowsOf } from '#src/kit/db/rows.server.ts'
import { findDuplicates, type Duplicate } from '#src/listings/write/duplicates.server.ts'
import { LISTING_STATES } from '#src/listings/life/life.ts'
import { toUsualPrice, usualPriceOf, usualPriceShape, type UsualPrice } from '#src/listings/browse/usual-price.server.ts'
import { getProduct, type Product } from '#src/listings/queries.server.ts'
import { nameIn } from '#src/listings/fields/name-in.server.ts'
import type { SeenListing } from '#src/listings/fields/seen-listing.ts'

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

const sellerRow = z.object({
  /** The account that typed it in, when it was not the seller. */
  typedBy: z.object({ id: z.number(), name: z.string() }).nullable(),
  others: z.array(
    z.object({
      id: z.number(),
      name: z.string(),
      state: z.enum(LISTING_STATES),
      isSold: z.boolean(),
      price: moneyShape,
      photoKey: z.string().nullable(),
    }),
  ),
  /** Includes those that are not shown. */
  othersCount: z.number(),
  lastLook: z.object({ passed: z.boolean(), at: momentShape, seen: z.custom<SeenListing>().nullable() }).nullable(),
  /** The newest first. */
  questions: z.array(z.object({ question: z.string(), askedAt: momentShape, answer: z.string().nullable() })),
  usualPrice: usualPriceShape,
})

export interface ToVerify extends Omit<z.output<typeof sellerRow>, 'usualPrice'> {
  product: Product
  duplicates: Duplicate[]
  /** One duplicate with all its facts: the requested one, else the most likely one. */
  beside: Product | null
  usualPrice: UsualPrice | null
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
      select (select json_build_object('id', u.id, 'name', u.name) from users u
          where u.id = ${createdById}::bigint and u.id <> ${seller.id}::bigint) as "typedBy",
        (select count(*)::int from listings l
          where l.seller_id = ${seller.id}::bigint and l.id <> ${id}::bigint and l.state <> 'draft') as "othersCount",
        (select coalesce(json_agg(o), '[]') from (
          select l.id, ${nameIn(ctx.locale)} as name, l.state,
            l.is_sold or l.stock = 0 as "isSold", l.price::text as price, p.media_key as "photoKey"
          from listings l left join listing_photos p on p.listing_id = l.id and p.position = 0
          where l.seller_id = ${seller.id}::bigint and l.id <> ${id}::bigint and l.state <> 'draft' order by l.id desc limit ${OTHERS_SHOWN}
        ) o) as others,
        (select json_build_object('passed', v.passed, 'at', ${epochMs(sql`v.created_at`)},
          'seen', (select s.seen from seen_listings s where s.verification_id = v.id))
          from verifications v where v.listing_id = ${id}::bigint order by v.id desc limit 1) as "lastLook",
        (select coalesce(json_agg(json_build_object('question', q.question, 'answer', q.answer,
          'askedAt', ${epochMs(sql`q.asked_at`)}) order by q.id desc), '[]')
          from listing_questions q where q.listing_id = ${id}::bigint) as questions,
        (select row_to_json(p) from (${usualPriceOf(ctx, id)}) p) as "usualPrice"`,
      sellerRow,
    ),
    findDuplicates(ctx, id),
  ])
  const row = rows[0]!
  const besideOne = duplicates.find((each) => each.id === besideId) ?? duplicates[0]
  const beside = besideOne ? await getProduct(ctx, besideOne.id) : null
  await audit(ctx, 'sensitive_read', `user:${seller.id}`, { what: 'addresses', listing: id })
  return { ...row, product, duplicates, beside, usualPrice: toUsualPrice(row.usualPrice) }
}
