import { randomBytes } from 'node:crypto'
import { makeAddress, makeUser } from '#src/accounts/makers.server.ts'
import { findPincode } from '#src/addresses/places.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { rupees } from '#src/kit/time-money/money.ts'
import { noFacts } from './fields/field-table.ts'
import { listings, vaccinations, verifications, vetChecks } from './tables.ts'
import { insertListing, pointOf, type PhotoFacts } from './write-listing.server.ts'

type ListingRow = typeof listings.$inferInsert
export type ListingFacts = Partial<Omit<ListingRow, 'searchKeys' | 'location' | 'taluk' | 'district' | 'stateName'>>
export type PhotoRow = PhotoFacts

/** A passed Kangayam bull with one photo unless the caller says otherwise. Answers the listing's id. */
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
  // A listing with an old date was submitted and described on that date.
  const since = facts.createdAt && { submittedAt: facts.createdAt, changedAt: facts.createdAt }
  // A public listing has a picture: the database checks when the transaction ends.
  return inTransaction(ctx, (ctx) => insertListing(ctx, { ...since, ...facts, ...located }, photos))
}

/** A photo's row without its files. */
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

export async function makeVaccination(ctx: Ctx, row: typeof vaccinations.$inferInsert): Promise<void> {
  await ctx.db.insert(vaccinations).values(row)
}

export async function makeVetCheck(ctx: Ctx, row: typeof vetChecks.$inferInsert): Promise<void> {
  await ctx.db.insert(vetChecks).values(row)
}

export async function makeVerification(ctx: Ctx, row: typeof verifications.$inferInsert): Promise<void> {
  await ctx.db.insert(verifications).values(row)
}
