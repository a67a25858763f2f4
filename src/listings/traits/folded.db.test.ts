import { eq, sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import { SELLER_TYPES } from '#src/accounts/rules.ts'
import { users } from '#src/accounts/tables.ts'
import { indianDay } from '#src/kit/time-money/dates.ts'
import { makeListing, makeListingClip, makeMilking, makeVaccination } from '../makers.server.ts'
import { makeVetCheck } from '#src/health/makers.server.ts'
import { milkings } from '#src/listings/proofs/tables.ts'
import { listingClips, listings, vaccinations } from '../tables.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'

/** The columns of `listings` that triggers fill from other tables (decision 0053). */
let market: TestMarket
let sellerId: number
let animal: number
shareMarket((opened) => (market = opened))
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
      hasVideo: listings.hasVideo,
      milkingsShown: listings.milkingsShown,
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

test('a new animal of an active seller is active', async () => {
  expect(await folded()).toEqual({
    isActive: true,
    isVerified: false,
    passedOn: null,
    isVaccinated: false,
    hasVideo: false,
    milkingsShown: [],
  })
})

test.each([
  ['is deactivated and activated', { isActive: false }, { isActive: true }, 'isActive'],
  ['becomes a buyer and a seller again', { typeId: 1 }, { typeId: 3 }, 'isActive'],
] as const)('each animal of a seller who %s follows the change', async (_, off, on, name) => {
  await change(off)
  expect((await folded())[name]).toBe(false)
  animal = await makeListing(market.ctx, { sellerId })
  expect((await folded())[name]).toBe(false)
  await change(on)
  expect((await folded())[name]).toBe(true)
})

test("whether an animal is active depends on its seller's user type", async () => {
  for (const typeId of [0, 1, 2, 3, 4, 5, 9]) {
    await change({ typeId })
    expect([typeId, (await folded()).isActive]).toEqual([typeId, SELLER_TYPES.includes(typeId)])
  }
})

test("an animal shows its seller's verification and its end", async () => {
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

test('a finding is valid for its own revision only', async () => {
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

test('an animal has a video while one is left; a voice note does not count', async () => {
  await makeListingClip(market.ctx, animal, 'voice')
  expect((await folded()).hasVideo).toBe(false)
  const [first, second] = [await makeListingClip(market.ctx, animal), await makeListingClip(market.ctx, animal, 'video', 1)]
  expect((await folded()).hasVideo).toBe(true)
  await market.ctx.db.delete(listingClips).where(eq(listingClips.id, first))
  expect((await folded()).hasVideo).toBe(true)
  await market.ctx.db.delete(listingClips).where(eq(listingClips.id, second))
  expect((await folded()).hasVideo).toBe(false)
})

test('a video that waits for its form counts once the form is sent', async () => {
  const video = await makeListingClip(market.ctx, animal)
  const move = (to: Partial<typeof listingClips.$inferInsert>) =>
    market.ctx.db.update(listingClips).set(to).where(eq(listingClips.id, video))
  await move({ listingId: null, form: 'a-form-key' })
  expect((await folded()).hasVideo).toBe(false)
  await move({ listingId: animal, form: null })
  expect((await folded()).hasVideo).toBe(true)
})

test('an animal lists the days of the milkings that an admin has seen, newest first', async () => {
  const add = (milkedOn: string, facts: Partial<Parameters<typeof makeMilking>[1]> = {}) =>
    makeMilking(market.ctx, { listingId: animal, milkedOn, ...facts })
  await add('2026-08-01', { hasClip: false })
  await add('2026-08-02', { seenRevision: null })
  const refused = await add('2026-08-03', { isRefused: true })
  const seen = await add('2026-08-04')
  await add('2026-08-05', { time: 'evening' })
  expect((await folded()).milkingsShown).toEqual(['2026-08-05', '2026-08-04'])
  await market.ctx.db.update(milkings).set({ isRefused: false }).where(eq(milkings.id, refused))
  await market.ctx.db.delete(milkings).where(eq(milkings.id, seen))
  expect((await folded()).milkingsShown).toEqual(['2026-08-05', '2026-08-03'])
})

test('milkings seen with an earlier description wait again', async () => {
  const id = await makeMilking(market.ctx, { listingId: animal, milkedOn: '2026-08-04' })
  await market.ctx.db.update(listings).set({ revision: 2 }).where(eq(listings.id, animal))
  expect((await folded()).milkingsShown).toEqual([])
  await market.ctx.db.update(milkings).set({ seenRevision: 2 }).where(eq(milkings.id, id))
  expect((await folded()).milkingsShown).toEqual(['2026-08-04'])
})
