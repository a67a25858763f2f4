import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { placeName } from '#src/addresses/places.server.ts'
import { requireLoggedIn } from '#src/accounts/policy.ts'
import type { Ctx } from '#src/kit/context.ts'
import type { Money } from '#src/kit/time-money/money.ts'
import { rowsOf } from '#src/kit/db/rows.server.ts'
import { hidePhones } from '#src/kit/text/phones-in-text.ts'
import { isPublic } from '#src/listings/browse/browse.server.ts'
import { listedFor, lookups, nameOf, nameOrNull } from '#src/listings/reference/lookups.server.ts'
import { listingCode } from '#src/listings/life/rules.ts'
import { lineStateOf, type LineState } from './line-state.ts'

/** A line of the viewer's cart with the current price and state of its animal, in their language. */
export interface CartLine {
  id: number
  listingId: number
  count: number
  state: LineState
  /** For example COW-00042. */
  code: string
  /** For a listing that is no longer public only the category is shown, because name, text and picture may be unverified. */
  name: string
  description: string
  category: string
  breed: string | null
  age: string | null
  gender: string | null
  /** 0: not weighed. */
  weightKg: number
  stock: number
  /** The stock when it was first offered. */
  unitPrice: Money
  originalPrice: Money
  photo: { key: string; color: string; hash: string } | null
  seller: { id: number; name: string; isVerified: boolean }
  /** District of the pickup place. */
  place: string
  isPickupDeliverable: boolean
  /** PIN code of the pickup place, for the usual delivery time. */
  pickupPincode: string
  /** Price and stock when the buyer last set the quantity. */
  seenPrice: Money
  seenStock: number
  isSample: boolean
  createdAt: Date
}

const lineRow = z.object({
  id: z.string(),
  listing_id: z.string(),
  count: z.number(),
  seen_price: z.string(),
  seen_stock: z.number(),
  created_ms: z.string(),
  is_shown: z.boolean(),
  is_sold: z.boolean(),
  touched_ms: z.string(),
  name: z.string(),
  description: z.string(),
  category_id: z.number(),
  breed_id: z.number().nullable(),
  age_id: z.number().nullable(),
  gender_id: z.number().nullable(),
  weight_kg: z.string(),
  stock: z.number(),
  price: z.string(),
  original_price: z.string(),
  district: z.string(),
  is_sample: z.boolean(),
  seller_id: z.string(),
  seller_name: z.string(),
  seller_verified: z.boolean(),
  owner_name: z.string().nullable(),
  photo: z.object({ key: z.string(), color: z.string(), hash: z.string() }).nullable(),
  pickup_deliverable: z.boolean(),
  pincode: z.string(),
})
type LineRow = z.output<typeof lineRow>

/** The viewer's cart, oldest line first, at current prices. One statement. AUTH_REQUIRED. */
export async function getCart(ctx: Ctx): Promise<CartLine[]> {
  const { id } = requireLoggedIn(ctx)
  const isEnglish = ctx.locale === 'en'
  const rows = await rowsOf(
    ctx,
    sql`
    select c.id, c.listing_id, c.count, c.seen_price::text as seen_price, c.seen_stock,
      floor(extract(epoch from c.created_at) * 1000)::bigint as created_ms,
      ${isPublic} as is_shown, l.is_sold,
      floor(extract(epoch from l.touched_at) * 1000)::bigint as touched_ms,
      ${isEnglish ? sql`coalesce(l.name_en, l.name)` : sql`l.name`} as name,
      ${isEnglish ? sql`coalesce(l.description_en, l.description)` : sql`l.description`} as description,
      l.category_id, l.breed_id, l.age_id, l.gender_id, l.weight_kg, l.stock,
      l.price::text as price, l.original_price::text as original_price, l.district, l.pincode::text as pincode, l.is_sample,
      l.seller_id, u.name as seller_name, u.is_verified as seller_verified, l.owner_name,
      (select json_build_object('key', p.media_key, 'color', p.average_color, 'hash', p.thumbhash)
        from listing_photos p where p.listing_id = l.id order by p.position limit 1) as photo,
      coalesce((select z.is_deliverable from pincodes z where z.pincode = l.pincode::char(6)), false) as pickup_deliverable
    from cart_lines c join listings l on l.id = c.listing_id join users u on u.id = l.seller_id
    where c.buyer_id = ${id}::bigint order by c.id`,
    lineRow,
  )
  return rows.map((row) => toLine(ctx, row))
}

function toLine(ctx: Ctx, row: LineRow): CartLine {
  const { locale } = ctx
  const category = lookups.category(row.category_id)
  const touchedAt = new Date(Number(row.touched_ms))
  const state = lineStateOf({ count: row.count, isShown: row.is_shown, isSold: row.is_sold, stock: row.stock, touchedAt }, ctx.now)
  const isGone = state === 'gone'
  return {
    id: Number(row.id),
    listingId: Number(row.listing_id),
    count: row.count,
    state,
    code: listingCode(category.shortEn, Number(row.listing_id)),
    name: isGone ? nameOf(category, locale) : hidePhones(row.name),
    description: isGone ? '' : hidePhones(row.description),
    category: nameOf(category, locale),
    breed: isGone ? null : nameOrNull(lookups.breed, row.breed_id, locale),
    age: isGone ? null : nameOrNull(lookups.age, row.age_id, locale),
    gender: isGone ? null : nameOrNull(lookups.gender, row.gender_id, locale),
    weightKg: isGone ? 0 : Number(row.weight_kg),
    stock: state === 'ok' || state === 'short' ? row.stock : 0,
    unitPrice: isGone ? BigInt(row.seen_price) : BigInt(row.price),
    originalPrice: isGone ? BigInt(row.seen_price) : BigInt(row.original_price),
    photo: isGone ? null : row.photo,
    seller: {
      id: Number(row.seller_id),
      name: isGone ? '' : listedFor(row.seller_name, row.owner_name, locale),
      isVerified: !isGone && row.seller_verified,
    },
    place: placeName(row.district, locale),
    isPickupDeliverable: row.pickup_deliverable,
    pickupPincode: row.pincode,
    seenPrice: BigInt(row.seen_price),
    seenStock: row.seen_stock,
    isSample: row.is_sample,
    createdAt: new Date(Number(row.created_ms)),
  }
}
