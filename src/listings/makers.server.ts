import { firstRow } from '#src/kit/db/rows.server.ts'
import { randomBytes } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { makeUser } from '#src/accounts/makers.server.ts'
import { makeAddress } from '#src/addresses/makers.server.ts'
import { findPincode } from '#src/addresses/places.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { rupees } from '#src/kit/time-money/money.ts'
import { insertListing, pointOf, type PhotoFacts } from '#src/listings/write/write-listing.server.ts'
import { noFacts } from './fields/field-table.ts'
import { milkings } from './proofs/tables.ts'
import { listingClips, listings, vaccinations } from './tables.ts'

type ListingRow = typeof listings.$inferInsert
export type ListingFacts = Partial<Omit<ListingRow, 'searchKeys' | 'location' | 'taluk' | 'district' | 'stateName'>>
export type PhotoRow = PhotoFacts

/** Makes a passed Kangayam bull with one photo, changed by `overrides`. Returns the listing's id. */
export async function makeListing(ctx: Ctx, overrides: ListingFacts = {}, photos: PhotoRow[] = [makePhoto()]): Promise<number> {
  const sellerId = overrides.sellerId ?? (await makeUser(ctx, { typeId: 2, name: 'Murugesan' })).id
  const pincode = overrides.pincode ?? '638701'
  const pickupAddressId = overrides.pickupAddressId ?? (await makeAddress(ctx, sellerId, { pincode }))
  const facts = {
    createdById: sellerId,
    categoryId: 1,
    breedId: 101,
    name: 'காங்கேயம் காளை',
    description: 'நல்ல உழவு காளை',
    nameEn: null,
    descriptionEn: null,
    ageId: 7,
    genderId: 1,
    colorId: 6,
    ...noFacts,
    weightKg: 420,
    stock: 1,
    originalPrice: rupees(85_000),
    state: 'passed' as const,
    ...overrides,
    sellerId,
    pincode,
    pickupAddressId,
  }
  const place = findPincode(pincode)
  if (!place) throw new Error(`No PIN code ${pincode}`)
  const located = { taluk: place.taluk, district: place.district, stateName: place.state, location: pointOf(pincode) }
  // A listing with an old creation date was submitted and described on that date.
  const since = facts.createdAt && { submittedAt: facts.createdAt, changedAt: facts.createdAt }
  // One transaction, because the database checks at its end that a public listing has a picture.
  return inTransaction(ctx, (ctx) => insertListing(ctx, { ...since, ...facts, ...located }, photos))
}

/** A photo's row without files. */
export function makePhoto(): PhotoRow {
  return {
    mediaKey: randomBytes(10).toString('hex'),
    width: 1280,
    height: 960,
    thumbhash: '',
    averageColor: '#a08060',
    dhash: '0'.repeat(16),
    sha256: '0'.repeat(64),
  }
}

/** A clip's row without files. */
const makeClip = () => ({ mediaKey: randomBytes(10).toString('hex'), format: 'mp4' as const, bytes: 700_000, millis: 9000 })

/** Makes a video of the listing or its voice note. Returns its id. */
export async function makeListingClip(ctx: Ctx, listingId: number, kind: 'video' | 'voice' = 'video', position = 0): Promise<number> {
  const owner = firstRow(await ctx.db.select({ id: listings.sellerId }).from(listings).where(eq(listings.id, listingId)))
  const [row] = await ctx.db
    .insert(listingClips)
    .values({ ...makeClip(), listingId, ownerId: owner.id, kind, position })
    .returning({ id: listingClips.id })
  return row!.id
}

type MilkingFacts = Partial<typeof milkings.$inferInsert> & { listingId: number; milkedOn: string }

/** Makes a milking whose clip an admin has seen with the listing's first description. Returns its id. */
export async function makeMilking(ctx: Ctx, { hasClip = true, ...facts }: MilkingFacts & { hasClip?: boolean }): Promise<number> {
  const owner = firstRow(await ctx.db.select({ id: listings.sellerId }).from(listings).where(eq(listings.id, facts.listingId)))
  const [row] = await ctx.db
    .insert(milkings)
    .values({ time: 'morning', litres: 6.5, addedById: owner.id, ...(hasClip && { ...makeClip(), seenRevision: 1 }), ...facts })
    .returning({ id: milkings.id })
  return row!.id
}

export async function makeVaccination(ctx: Ctx, row: typeof vaccinations.$inferInsert): Promise<void> {
  await ctx.db.insert(vaccinations).values(row)
}
