import { sql } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import { findPlace } from '#src/addresses/places.server.ts'
import { indianDay } from '#src/kit/time-money/dates.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { isVetPassed, wantedBy } from '#src/listings/browse/browse.server.ts'
import { knownIds } from '#src/listings/reference/lookups.server.ts'
import { makeListing, makeListingClip, makeVaccination } from '../makers.server.ts'
import { makeVetCheck } from '#src/health/makers.server.ts'
import { radii, readBrowse } from '#src/listings/browse/schemas.ts'
import { isHit } from './finding.server.ts'
import { hasKeys } from './listing-keys.server.ts'
import { traitOptions } from './trait-table.server.ts'

/** Compares the key index with the row conditions. */
let market: TestMarket

shareMarket((opened) => (market = opened))
beforeAll(async () => {
  const { ctx } = market
  const verified = await makeUser(ctx, { typeId: 2, isVerified: true })
  const vet = await makeUser(ctx, { typeId: 5, vetApproved: true })
  // Each age, both sides of each weight and milk border, each sex, and towns on both sides of grid borders.
  const weights = [0, 0.5, 9.99, 10, 29.5, 30, 99.99, 100, 299, 300, 900]
  const milk = [null, 0, 0.5, 4.9, 5, 9.9, 10, 14.9, 15, 40, null]
  const towns = ['638701', '642001', '600001', '625531', '629001', '643001']
  for (let n = 0; n < 22; n++) {
    const litres = milk[n % milk.length]!
    const id = await makeListing(ctx, {
      ...(n % 3 === 0 && { sellerId: verified.id }),
      ageId: n === 11 ? null : 1 + (n % 11),
      genderId: litres !== null ? 0 : n % 4,
      milkLitresPerDay: litres,
      weightKg: weights[(n * 3) % weights.length]!,
      pincode: towns[n % towns.length]!,
    })
    if (n % 5 === 0) await makeListingClip(ctx, id)
    if (n % 4 === 0) await makeVaccination(ctx, { listingId: id, vaccineId: 1, dose: 1, vaccinatedOn: indianDay(ctx.now) })
    if (n % 6 === 0)
      await makeVetCheck(ctx, { listingId: id, vetId: vet.id, approved: true, comments: 'Looked at.', checkedOn: indianDay(ctx.now) })
  }
})

const idsWhere = async (where: ReturnType<typeof sql>) =>
  (
    (await market.ctx.db.execute(sql`select l.id::int as id from listings l where ${where} order by l.id`)) as unknown as {
      rows: { id: number }[]
    }
  ).rows.map(({ id }) => id)

test('the key of each trait value selects the animals that meet its condition', async () => {
  const options = traitOptions(isVetPassed(market.ctx.now)).filter(({ key }) => key !== null)
  expect(options.length).toBeGreaterThan(15)
  for (const { name, value, where, key } of options) {
    const held = await idsWhere(where)
    expect(held.length, `${name} ${value}`).toBeGreaterThan(0)
    expect(await idsWhere(hasKeys([key!])), `${name} ${value}`).toEqual(held)
  }
})

test.each(radii.flatMap((km) => ['638701', '642001', '641001'].map((near) => [km, near] as const)))(
  'the grid squares around a radius of %d km contain all animals in it (%s)',
  async (within, near) => {
    for (const more of ['', '&category=1&breed=101', '&sex=male&min=1']) {
      const { choices } = readBrowse(0, new URLSearchParams(`near=${near}&within=${within}${more}`), knownIds)
      const wanted = wantedBy(market.ctx, choices, findPlace(near))
      expect(await idsWhere(wanted.indexed)).toEqual(await idsWhere(isHit(wanted)))
    }
  },
)
