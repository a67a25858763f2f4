import { sql } from 'drizzle-orm'
import { placeName } from '#src/accounts/places.server.ts'
import { requireLoggedIn } from '#src/accounts/rules.ts'
import type { Ctx } from '#src/kit/context.ts'
import type { Money } from '#src/kit/money.ts'
import { isPublic } from '#src/listings/browse.server.ts'
import { lookups, nameOf, nameOrNull } from '#src/listings/lookups.server.ts'
import { listingCode } from '#src/listings/rules.ts'
import { lineStateOf, type LineState } from './line-state.ts'

/** A line of one's cart with what its animal costs and is now, in the reader's language. */
export interface CartLine {
  id: number
  listingId: number
  count: number
  state: LineState
  /** COW-00042 */
  code: string
  /** Of what is not shown to the public any more only the category is left: name, words and picture may be others by now. */
  name: string
  description: string
  category: string
  breed: string | null
  age: string | null
  gender: string | null
  /** 0: not weighed. */
  weightKg: number
  stock: number
  unitPrice: Money
  originalPrice: Money
  photo: { key: string; color: string; hash: string } | null
  seller: { id: number; name: string; isVerified: boolean }
  /** District, where it is fetched. */
  place: string
  isPickupDeliverable: boolean
  /** What one cost, and how many there were, when the buyer last said how many he wants. */
  seenPrice: Money
  seenStock: number
  isSample: boolean
  createdAt: Date
}

interface LineRow {
  id: string
  listing_id: string
  count: number
  seen_price: string
  seen_stock: number
  created_ms: string
  is_shown: boolean
  is_sold: boolean
  touched_ms: string
  name: string
  description: string
  category_id: number
  breed_id: number | null
  age_id: number | null
  gender_id: number | null
  weight_kg: string
  stock: number
  price: string
  original_price: string
  district: string
  is_sample: boolean
  seller_id: string
  seller_name: string
  seller_verified: boolean
  photo: CartLine['photo']
  pickup_deliverable: boolean
}

/** One's own cart, oldest line first, with today's prices. One statement. AUTH_REQUIRED. */
export async function getCart(ctx: Ctx): Promise<CartLine[]> {
  const { id } = requireLoggedIn(ctx)
  const isEnglish = ctx.locale === 'en'
  const { rows } = (await ctx.db.execute(sql`
    select c.id, c.listing_id, c.count, c.seen_price::text as seen_price, c.seen_stock,
      floor(extract(epoch from c.created_at) * 1000)::bigint as created_ms,
      ${isPublic} as is_shown, l.is_sold,
      floor(extract(epoch from l.touched_at) * 1000)::bigint as touched_ms,
      ${isEnglish ? sql`coalesce(l.name_en, l.name)` : sql`l.name`} as name,
      ${isEnglish ? sql`coalesce(l.description_en, l.description)` : sql`l.description`} as description,
      l.category_id, l.breed_id, l.age_id, l.gender_id, l.weight_kg, l.stock,
      l.price::text as price, l.original_price::text as original_price, l.district, l.is_sample,
      l.seller_id, u.name as seller_name, u.is_verified as seller_verified,
      (select json_build_object('key', p.media_key, 'color', p.average_color, 'hash', p.thumbhash)
        from listing_photos p where p.listing_id = l.id order by p.position limit 1) as photo,
      coalesce((select z.is_deliverable from pincodes z where z.pincode = l.pincode::char(6)), false) as pickup_deliverable
    from cart_lines c join listings l on l.id = c.listing_id join users u on u.id = l.seller_id
    where c.buyer_id = ${id}::bigint order by c.id`)) as unknown as { rows: LineRow[] }
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
    name: isGone ? nameOf(category, locale) : row.name,
    description: isGone ? '' : row.description,
    category: nameOf(category, locale),
    breed: isGone ? null : nameOrNull(lookups.breed, row.breed_id, locale),
    age: isGone ? null : nameOrNull(lookups.age, row.age_id, locale),
    gender: isGone ? null : nameOrNull(lookups.gender, row.gender_id, locale),
    weightKg: isGone ? 0 : Number(row.weight_kg),
    stock: state === 'ok' || state === 'short' ? row.stock : 0,
    unitPrice: isGone ? BigInt(row.seen_price) : BigInt(row.price),
    originalPrice: isGone ? BigInt(row.seen_price) : BigInt(row.original_price),
    photo: isGone ? null : row.photo,
    seller: { id: Number(row.seller_id), name: isGone ? '' : row.seller_name, isVerified: !isGone && row.seller_verified },
    place: placeName(row.district, locale),
    isPickupDeliverable: row.pickup_deliverable,
    seenPrice: BigInt(row.seen_price),
    seenStock: row.seen_stock,
    isSample: row.is_sample,
    createdAt: new Date(Number(row.created_ms)),
  }
}
