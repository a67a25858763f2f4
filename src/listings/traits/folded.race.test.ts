import { setTimeout as sleep } from 'node:timers/promises'
import { eq, sql } from 'drizzle-orm'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import { users } from '#src/accounts/tables.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { indianDay } from '#src/kit/time-money/dates.ts'
import { makeListing, makeVaccination, makeVetCheck } from '#src/listings/makers.server.ts'
import { listings, vaccinations } from '#src/listings/tables.ts'
import { openTestMarket, type TestMarket } from '#src/testing/test-market.ts'

/** Two transactions at once, each of which changes what triggers write into a listing (decision 0053). */
let market: TestMarket
let sellerId: number
beforeEach(async () => {
  market = await openTestMarket()
  sellerId = (await makeUser(market.ctx, { typeId: 2 })).id
})
afterEach(() => market?.close())

const foldedOf = async (id: number) => (await market.ctx.db.select().from(listings).where(eq(listings.id, id)))[0]!
/** Long enough for the other to arrive; the tests are right also if it does not. */
const A_MOMENT = 300

/** The functions as somebody would write them first: they read what is there and hold nothing. */
async function withoutHolding(name: string): Promise<void> {
  const { rows } = (await market.owner.execute(
    sql`select pg_get_functiondef(oid) as text from pg_proc where proname = ${name}`,
  )) as unknown as {
    rows: { text: string }[]
  }
  const naive = rows[0]!.text.replace(/PERFORM 1 FROM listings [^;]*;/, '').replace(' FOR NO KEY UPDATE', '')
  expect(naive).not.toBe(rows[0]!.text)
  await market.owner.execute(sql.raw(naive))
}

/** A seller is deactivated and puts up an animal at the same moment. Answers what the animal says of them. */
async function deactivateWhileListing(): Promise<boolean> {
  let animal = 0
  let adding: Promise<void> | undefined
  await inTransaction(market.ctx, async (ctx) => {
    await ctx.db.update(users).set({ isActive: false }).where(eq(users.id, sellerId))
    adding = makeListing(market.ctx, { sellerId }).then((id) => void (animal = id))
    await sleep(A_MOMENT)
  })
  await adding
  return (await foldedOf(animal)).sellerActive
}

test('a seller who is deactivated while they put up an animal is active nowhere', async () => {
  expect(await deactivateWhileListing()).toBe(false)
})

test('control: without holding the seller the animal stays on the lists', async () => {
  await withoutHolding('listing_of_seller')
  expect(await deactivateWhileListing()).toBe(true)
})

/** Two vets write at once: the first a good finding, the second, who has to wait, a bad one. */
async function findTwice(): Promise<string | null> {
  const animal = await makeListing(market.ctx, { sellerId })
  const vets = [await makeUser(market.ctx, { typeId: 5, vetApproved: true }), await makeUser(market.ctx, { typeId: 5, vetApproved: true })]
  const finding = (n: 0 | 1) => ({
    listingId: animal,
    vetId: vets[n]!.id,
    approved: n === 0,
    comments: 'Looked at.',
    checkedOn: indianDay(market.ctx.now),
  })
  let second: Promise<void> | undefined
  await inTransaction(market.ctx, async (ctx) => {
    await makeVetCheck(ctx, finding(0))
    second = makeVetCheck(market.ctx, finding(1))
    await sleep(A_MOMENT)
  })
  await second
  return (await foldedOf(animal)).vetPassedOn
}

test('of two findings at once the last one counts, and it is a bad one', async () => {
  expect(await findTwice()).toBeNull()
})

/** The last vaccination is taken out while another one is added. */
async function vaccinateWhileRemoving(): Promise<boolean> {
  const animal = await makeListing(market.ctx, { sellerId })
  const vaccinate = (dose: number) =>
    makeVaccination(market.ctx, { listingId: animal, vaccineId: 1, dose, vaccinatedOn: indianDay(market.ctx.now) })
  await vaccinate(1)
  let adding: Promise<void> | undefined
  await inTransaction(market.ctx, async (ctx) => {
    await ctx.db.delete(vaccinations).where(eq(vaccinations.listingId, animal))
    adding = vaccinate(2)
    await sleep(A_MOMENT)
  })
  await adding
  return (await foldedOf(animal)).isVaccinated
}

test('an animal that is vaccinated while its other vaccination is taken out is a vaccinated one', async () => {
  expect(await vaccinateWhileRemoving()).toBe(true)
})
