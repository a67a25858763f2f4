import { and, eq, isNull, sql } from 'drizzle-orm'
import type { PgInsertValue } from 'drizzle-orm/pg-core'
import { spread, toStoredPoint } from '#src/addresses/places.ts'
import { findPincode } from '#src/addresses/places.server.ts'
import { addresses, pincodes } from '#src/accounts/tables.ts'
import type { Ctx } from '#src/kit/context.ts'
import { Problem } from '#src/kit/problem.ts'
import type { ListingFacts } from './listing-input.ts'
import { searchKeysFor, toTsVector, type SearchableFacts } from './search.server.ts'
import { listingPhotos, listings, vaccinations } from './tables.ts'

/** The one place that writes checked input into a listing's row; sell form, API, edits and makers all use it. */

export type PhotoFacts = Omit<typeof listingPhotos.$inferInsert, 'id' | 'listingId' | 'position'>
type PlaceColumns = Pick<typeof listings.$inferInsert, 'pincode' | 'taluk' | 'district' | 'stateName' | 'location'>

/**
 * The pickup address: it must be in the seller's book, and is held until the transaction ends, so that a change of the address cannot pass
 * between this look and the listing's row (listings-at-addresses.server.ts). Null when it is not (any more) in that book.
 */
export async function holdPickup(ctx: Ctx, sellerId: number, addressId: number): Promise<PlaceColumns | null> {
  const [address] = await ctx.db
    .select({ pincode: pincodes.pincode, taluk: pincodes.taluk, district: pincodes.district, stateName: pincodes.state })
    .from(addresses)
    .innerJoin(pincodes, eq(pincodes.pincode, addresses.pincode))
    .where(and(eq(addresses.id, addressId), eq(addresses.userId, sellerId), isNull(addresses.removedAt)))
    .for('share', { of: addresses })
  return address ? { ...address, location: pointOf(address.pincode) } : null
}

/** A PIN code's point, moved by some metres; null where it has none. */
export function pointOf(pincode: string): [number, number] | null {
  const point = findPincode(pincode)?.point
  return point ? toStoredPoint(spread(point)) : null
}

// Drizzle types a tsvector column as text, and takes an expression in its place.
const searchKeysColumn = (facts: SearchableFacts) => sql`${toTsVector(searchKeysFor(facts))}::tsvector` as unknown as string

/** Name and description in both languages, with what the listing is found by: every change of words writes these columns together. */
export const wordColumns = (listing: SearchableFacts) => ({
  name: listing.name,
  description: listing.description,
  nameEn: listing.nameEn,
  descriptionEn: listing.descriptionEn,
  searchKeys: searchKeysColumn(listing),
})

/** As stored: the tag sealed, and as a keyed hash by which a second listing of the same animal is found. */
function factColumns(ctx: Ctx, { tag, vaccinations: _rows, ...facts }: ListingFacts) {
  return { ...facts, ...tagColumns(ctx, tag) }
}

export const tagColumns = (ctx: Ctx, tag: string | null) => ({
  tagSealed: tag === null ? null : ctx.vault.seal('ear-tag', tag),
  tagMac: tag === null ? null : ctx.vault.mac('ear-tag', tag),
})

/** Whether the stored hash is this tag's, also one from before PEPPER was changed. */
export const isTagOf = (ctx: Ctx, stored: Buffer | null, tag: string): boolean =>
  stored !== null && ctx.vault.macs('ear-tag', tag).some((mac) => mac.equals(stored))

type NewListing = Omit<PgInsertValue<typeof listings>, 'searchKeys' | 'location' | 'describedWeightKg' | 'firstStock'> &
  SearchableFacts &
  PlaceColumns

/** Row and photos in order, inside the caller's transaction. Answers the listing's id. */
export async function insertListing(ctx: Ctx, listing: NewListing, photos: PhotoFacts[]): Promise<number> {
  const [row] = await ctx.db
    .insert(listings)
    .values({
      ...listing,
      firstStock: listing.stock,
      describedWeightKg: listing.weightKg,
      searchKeys: searchKeysColumn(listing),
    } as typeof listings.$inferInsert)
    .returning({ id: listings.id })
  const listingId = row!.id
  if (photos.length > 0) await ctx.db.insert(listingPhotos).values(photos.map((photo, position) => ({ ...photo, listingId, position })))
  return listingId
}

export async function insertVaccinations(ctx: Ctx, listingId: number, rows: ListingFacts['vaccinations']): Promise<void> {
  if (rows.length > 0) await ctx.db.insert(vaccinations).values(rows.map((row) => ({ ...row, listingId })))
}

interface NewSale {
  sellerId: number
  pickupAddressId: number
  facts: ListingFacts
  photos: PhotoFacts[]
}

/**
 * A seller's new listing: for verification when it has its pictures, a draft until then. In a transaction. VALIDATION of `pickup`
 * when the address is not in the seller's book.
 */
export async function addListing(ctx: Ctx, { sellerId, pickupAddressId, facts, photos }: NewSale): Promise<number> {
  const place = await holdPickup(ctx, sellerId, pickupAddressId)
  if (!place) throw new Problem('VALIDATION', { fields: [{ field: 'pickup', message: 'field_listing_pickup' }] })
  const columns = {
    ...factColumns(ctx, facts),
    ...place,
    sellerId,
    createdById: ctx.viewer!.id,
    pickupAddressId,
    nameEn: null,
    descriptionEn: null,
    state: photos.length > 0 ? ('pending' as const) : ('draft' as const),
    createdAt: ctx.now,
    touchedAt: ctx.now,
    submittedAt: ctx.now,
    changedAt: ctx.now,
  }
  const id = await insertListing(ctx, columns, photos)
  await insertVaccinations(ctx, id, facts.vaccinations)
  return id
}
