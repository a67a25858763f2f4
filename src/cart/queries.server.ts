import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { placeName } from '#src/addresses/places.server.ts'
import { requireLoggedIn } from '#src/accounts/policy.ts'
import type { Ctx } from '#src/kit/context.ts'
import { epochMs, moneyShape, momentShape, rowsOf } from '#src/kit/db/rows.server.ts'
import { hidePhones } from '#src/kit/text/phones-in-text.ts'
import { isPublic } from '#src/listings/browse/browse.server.ts'
import { listedFor, lookups, nameOf, nameOrNull } from '#src/listings/reference/lookups.server.ts'
import { listingCode } from '#src/listings/life/rules.ts'
import { lineStateOf } from './line-state.ts'

const lineRow = z.object({
  id: z.number(),
  listingId: z.number(),
  count: z.number(),
  /** Price and stock when the buyer last set the quantity. */
  seenPrice: moneyShape,
  seenStock: z.number(),
  createdAt: momentShape,
  isShown: z.boolean(),
  isSold: z.boolean(),
  touchedAt: momentShape,
  name: z.string(),
  description: z.string(),
  categoryId: z.number(),
  breedId: z.number().nullable(),
  ageId: z.number().nullable(),
  genderId: z.number().nullable(),
  /** 0: not weighed. */
  weightKg: z.number(),
  stock: z.number(),
  price: moneyShape,
  /** The price when it was first offered. */
  originalPrice: moneyShape,
  district: z.string(),
  isSample: z.boolean(),
  seller: z.object({ id: z.number(), name: z.string(), isVerified: z.boolean() }),
  ownerName: z.string().nullable(),
  photo: z.object({ key: z.string(), color: z.string(), hash: z.string() }).nullable(),
  isPickupDeliverable: z.boolean(),
  /** PIN code of the pickup place, for the usual delivery time. */
  pickupPincode: z.string(),
})

/** The viewer's cart, oldest line first, at current prices. One statement. AUTH_REQUIRED. */
export async function getCart(ctx: Ctx): Promise<CartLine[]> {
  const { id } = requireLoggedIn(ctx)
  const isEnglish = ctx.locale === 'en'
  const rows = await rowsOf(
    ctx,
    sql`
    select c.id::float8 as id, c.listing_id::float8 as "listingId", c.count, c.seen_price::text as "seenPrice", c.seen_stock as "seenStock",
      ${epochMs(sql`c.created_at`)} as "createdAt", ${epochMs(sql`l.touched_at`)} as "touchedAt",
      ${isPublic} as "isShown", l.is_sold as "isSold",
      ${isEnglish ? sql`coalesce(l.name_en, l.name)` : sql`l.name`} as name,
      ${isEnglish ? sql`coalesce(l.description_en, l.description)` : sql`l.description`} as description,
      l.category_id as "categoryId", l.breed_id as "breedId", l.age_id as "ageId", l.gender_id as "genderId",
      l.weight_kg::float8 as "weightKg", l.stock, l.price::text as price, l.original_price::text as "originalPrice",
      l.district, l.pincode::text as "pickupPincode", l.is_sample as "isSample", l.owner_name as "ownerName",
      json_build_object('id', u.id, 'name', u.name, 'isVerified', u.is_verified) as seller,
      (select json_build_object('key', p.media_key, 'color', p.average_color, 'hash', p.thumbhash)
        from listing_photos p where p.listing_id = l.id order by p.position limit 1) as photo,
      coalesce((select z.is_deliverable from pincodes z where z.pincode = l.pincode::char(6)), false) as "isPickupDeliverable"
    from cart_lines c join listings l on l.id = c.listing_id join users u on u.id = l.seller_id
    where c.buyer_id = ${id}::bigint order by c.id`,
    lineRow,
  )
  return rows.map((row) => toLine(ctx, row))
}

/** A line of the viewer's cart with the current price and state of its animal, in their language. */
function toLine(ctx: Ctx, line: z.output<typeof lineRow>) {
  const { isShown, isSold, touchedAt, categoryId, breedId, ageId, genderId, price, district, ownerName, ...row } = line
  const { locale } = ctx
  const category = lookups.category(categoryId)
  const state = lineStateOf({ count: row.count, isShown, isSold, stock: row.stock, touchedAt }, ctx.now)
  const isGone = state === 'gone'
  return {
    ...row,
    state,
    /** For example COW-00042. */
    code: listingCode(category.shortEn, row.listingId),
    /** For a listing that is no longer public only the category is shown, because name, text and picture may be unverified. */
    name: isGone ? nameOf(category, locale) : hidePhones(row.name),
    description: isGone ? '' : hidePhones(row.description),
    category: nameOf(category, locale),
    breed: isGone ? null : nameOrNull(lookups.breed, breedId, locale),
    age: isGone ? null : nameOrNull(lookups.age, ageId, locale),
    gender: isGone ? null : nameOrNull(lookups.gender, genderId, locale),
    weightKg: isGone ? 0 : row.weightKg,
    stock: state === 'ok' || state === 'short' ? row.stock : 0,
    unitPrice: isGone ? row.seenPrice : price,
    originalPrice: isGone ? row.seenPrice : row.originalPrice,
    photo: isGone ? null : row.photo,
    seller: {
      id: row.seller.id,
      name: isGone ? '' : listedFor(row.seller.name, ownerName, locale),
      isVerified: !isGone && row.seller.isVerified,
    },
    /** District of the pickup place. */
    place: placeName(district, locale),
  }
}
export type CartLine = ReturnType<typeof toLine>
