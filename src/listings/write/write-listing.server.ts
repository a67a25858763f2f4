import { and, eq, isNull, sql } from 'drizzle-orm'
import type { PgInsertValue } from 'drizzle-orm/pg-core'
import { spread, toStoredPoint } from '#src/addresses/places.ts'
import { findPincode } from '#src/addresses/places.server.ts'
import { addresses, pincodes } from '#src/addresses/tables.ts'
import type { Ctx } from '#src/kit/context.ts'
import { invalidField } from '#src/kit/base/problem.ts'
import { searchKeysFor, toTsVector, type SearchableFacts } from '#src/listings/browse/search.server.ts'
import { listingPhotos, listings, vaccinations } from '../tables.ts'
import type { ListingFacts } from './listing-input.ts'

/** The only module that writes validated input into a listing's row. The sell form, the API, edits and makers use it. */

export type PhotoFacts = Omit<typeof listingPhotos.$inferInsert, 'id' | 'listingId' | 'position'>
type PlaceColumns = Pick<typeof listings.$inferInsert, 'pincode' | 'taluk' | 'district' | 'stateName' | 'location'>

/**
 * Reads and locks the pickup address until the end of the transaction, so that a concurrent change of the address cannot slip in before the listing's
 * row (listings-at-addresses.server.ts). Null when the address is not, or no longer, in the seller's book.
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

// Drizzle types a tsvector column as text but accepts an expression.
const searchKeysColumn = (facts: SearchableFacts) => sql`${toTsVector(searchKeysFor(facts))}::tsvector` as unknown as string

/** The texts in both languages with the search keys: every change of a text must write these columns together. */
export const wordColumns = (listing: SearchableFacts) => ({
  name: listing.name,
  description: listing.description,
  nameEn: listing.nameEn,
  descriptionEn: listing.descriptionEn,
  searchKeys: searchKeysColumn(listing),
})

/** The stored form: the tag sealed, and its keyed hash to find a second listing of the animal. */
function factColumns(ctx: Ctx, { tag, vaccinations: _rows, ...facts }: ListingFacts) {
  return { ...facts, ...tagColumns(ctx, tag) }
}

export const tagColumns = (ctx: Ctx, tag: string | null) => ({
  tagSealed: tag === null ? null : ctx.vault.seal('ear-tag', tag),
  tagMac: tag === null ? null : ctx.vault.mac('ear-tag', tag),
})

/** Whether the stored hash belongs to this tag, also under an older PEPPER. */
export const isTagOf = (ctx: Ctx, stored: Buffer | null, tag: string): boolean =>
  stored !== null && ctx.vault.macs('ear-tag', tag).some((mac) => mac.equals(stored))

type NewListing = Omit<PgInsertValue<typeof listings>, 'searchKeys' | 'location' | 'describedWeightKg'> & SearchableFacts & PlaceColumns

/** Inserts the row and its photos in order, inside the caller's transaction. Returns the listing's id. */
export async function insertListing(ctx: Ctx, listing: NewListing, photos: PhotoFacts[]): Promise<number> {
  const [row] = await ctx.db
    .insert(listings)
    .values({
      ...listing,
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
  /** For a listing on behalf of an owner who has not agreed yet: it stays a draft. */
  ownerName?: string | null
  photoName?: string | null
}

/**
 * Adds a seller's listing: pending when it has pictures, else a draft. Call it in a transaction. Throws VALIDATION for `pickup` when the address is
 * not in the seller's book.
 */
export async function addListing(ctx: Ctx, sale: NewSale): Promise<number> {
  const { sellerId, pickupAddressId, facts, photos, ownerName = null, photoName = null } = sale
  const place = await holdPickup(ctx, sellerId, pickupAddressId)
  if (!place) throw invalidField('pickup', 'field_listing_pickup')
  const columns = {
    ...factColumns(ctx, facts),
    ...place,
    sellerId,
    createdById: ctx.viewer!.id,
    pickupAddressId,
    nameEn: null,
    descriptionEn: null,
    ownerName,
    photoName,
    ownerAgreed: ownerName === null ? null : false,
    state: photos.length > 0 && ownerName === null ? ('pending' as const) : ('draft' as const),
    createdAt: ctx.now,
    touchedAt: ctx.now,
    submittedAt: ctx.now,
    changedAt: ctx.now,
  }
  const id = await insertListing(ctx, columns, photos)
  await insertVaccinations(ctx, id, facts.vaccinations)
  return id
}
