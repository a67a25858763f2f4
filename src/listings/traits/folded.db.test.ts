import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import { SELLER_TYPES } from '#src/accounts/rules.ts'
import { users } from '#src/accounts/tables.ts'
import { indianDay } from '#src/kit/time-money/dates.ts'
import { makeListing, makeVaccination, makeVetCheck } from '#src/listings/makers.server.ts'
import { listings, vaccinations } from '#src/listings/tables.ts'
import { openTestMarket, type TestMarket } from '#src/testing/test-market.ts'

/** What triggers write into a listing, beside what they read it from (decision 0053). */
let market: TestMarket
let sellerId: number
let animal: number
beforeAll(async () => {
  market = await openTestMarket()
})
afterAll(() => market?.close())
beforeEach(async () => {
  sellerId = (await makeUser(market.ctx, { typeId: 2 })).id
  animal = await makeListing(market.ctx, { sellerId })
})

async function folded() {
  const [row] = await market.ctx.db
    .select({
      isActive: listings.sellerActive,
      isVerified: listings.sellerVerified,
      passedOn: listings.vetPassedOn,
      isVaccinated: listings.isVaccinated,
    })
    .from(listings)
    .where(eq(listings.id, animal))
  return row!
}
const change = (facts: Partial<typeof users.$inferInsert>) => market.ctx.db.update(users).set(facts).where(eq(users.id, sellerId))
const today = () => indianDay(market.ctx.now)
const check = async (facts: { approved: boolean; revision?: number }) => {
  const vet = await makeUser(market.ctx, { typeId: 5, vetApproved: true })
  await makeVetCheck(market.ctx, { listingId: animal, vetId: vet.id, comments: 'Looked at.', checkedOn: today(), ...facts })
}

test('an animal is its active seller’s from the beginning', async () => {
  expect(await folded()).toEqual({ isActive: true, isVerified: false, passedOn: null, isVaccinated: false })
})

test.each([
  ['deactivated and active again', { isActive: false }, { isActive: true }, 'isActive'],
  ['a buyer and a seller again', { typeId: 1 }, { typeId: 3 }, 'isActive'],
] as const)('a seller who is %s has the same said of each animal', async (_, off, on, name) => {
  await change(off)
  expect((await folded())[name]).toBe(false)
  animal = await makeListing(market.ctx, { sellerId })
  expect((await folded())[name]).toBe(false)
  await change(on)
  expect((await folded())[name]).toBe(true)
})

test('of each type of person it is said whether they sell', async () => {
  for (const typeId of [0, 1, 2, 3, 4, 5, 9]) {
    await change({ typeId })
    expect([typeId, (await folded()).isActive]).toEqual([typeId, SELLER_TYPES.includes(typeId)])
  }
})

test('a seller is verified and not verified any more', async () => {
  await change({ isVerified: true })
  expect((await folded()).isVerified).toBe(true)
  animal = await makeListing(market.ctx, { sellerId })
  expect((await folded()).isVerified).toBe(true)
  await change({ isVerified: false })
  expect((await folded()).isVerified).toBe(false)
})

test('the last finding counts: good, bad, good again', async () => {
  await check({ approved: true })
  expect((await folded()).passedOn).toBe(today())
  await check({ approved: false })
  expect((await folded()).passedOn).toBeNull()
  await check({ approved: true })
  expect((await folded()).passedOn).toBe(today())
})

test('a finding holds for the revision it was made of', async () => {
  await check({ approved: true })
  const revise = (revision: number) => market.ctx.db.update(listings).set({ revision }).where(eq(listings.id, animal))
  await revise(2)
  expect((await folded()).passedOn).toBeNull()
  await check({ approved: true, revision: 1 })
  expect((await folded()).passedOn).toBeNull()
  await check({ approved: true, revision: 2 })
  expect((await folded()).passedOn).toBe(today())
})

test('an animal is vaccinated while one vaccination is left', async () => {
  for (const dose of [1, 2]) await makeVaccination(market.ctx, { listingId: animal, vaccineId: 1, dose, vaccinatedOn: today() })
  expect((await folded()).isVaccinated).toBe(true)
  await market.ctx.db.delete(vaccinations).where(sql`${vaccinations.listingId} = ${animal} and ${vaccinations.dose} = 1`)
  expect((await folded()).isVaccinated).toBe(true)
  await market.ctx.db.delete(vaccinations).where(eq(vaccinations.listingId, animal))
  expect((await folded()).isVaccinated).toBe(false)
})
