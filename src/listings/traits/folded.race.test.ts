import { eq, sql } from 'drizzle-orm'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import { users } from '#src/accounts/tables.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { indianDay } from '#src/kit/time-money/dates.ts'
import { makeListing, makeListingClip, makeVaccination } from '../makers.server.ts'
import { makeVetCheck } from '#src/health/makers.server.ts'
import { listingClips, listings, vaccinations } from '../tables.ts'
import { untilLockWait } from '#tools/test-kit/lock-wait.ts'
import { openTestMarket, type TestMarket } from '#tools/test-kit/test-market.ts'

/** Two concurrent transactions, each of which changes trigger-written columns of a listing (decision 0053). */
let market: TestMarket
let sellerId: number
beforeEach(async () => {
  market = await openTestMarket()
  sellerId = (await makeUser(market.ctx, { typeId: 2 })).id
})
afterEach(() => market?.close())

const foldedOf = async (id: number) => (await market.ctx.db.select().from(listings).where(eq(listings.id, id)))[0]!

/** Replaces a trigger function by its naive version, which reads without taking a lock. */
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

/** Deactivates and renames a seller while they create a listing. Returns whether it shows them as active and has the new name. */
async function changeWhileListing() {
  let animal = 0
  let adding: Promise<void> | undefined
  await inTransaction(market.ctx, async (ctx) => {
    await ctx.db.update(users).set({ isActive: false, name: 'Murugan' }).where(eq(users.id, sellerId))
    adding = makeListing(market.ctx, { sellerId }).then((id) => void (animal = id))
    await untilLockWait(market.owner, adding)
  })
  await adding
  const { sellerActive, searchKeys } = await foldedOf(animal)
  return { sellerActive, isRenamed: searchKeys.includes("'~murukan'") }
}

test('a seller who is deactivated and renamed while they create a listing is so on all of their listings', async () => {
  expect(await changeWhileListing()).toEqual({ sellerActive: false, isRenamed: true })
})

test('control: without the lock on the seller, the listing stays active under the old name', async () => {
  await withoutHolding('listing_of_seller')
  expect(await changeWhileListing()).toEqual({ sellerActive: true, isRenamed: false })
})

/** Two vets write at once: the first a good finding; the second, who must wait, a bad one. */
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
    await untilLockWait(market.owner, second)
  })
  await second
  return (await foldedOf(animal)).vetPassedOn
}

test('of two concurrent findings the last one, a bad one, counts', async () => {
  expect(await findTwice()).toBeNull()
})

/** Deletes the last vaccination while another one is added. */
async function vaccinateWhileRemoving(): Promise<boolean> {
  const animal = await makeListing(market.ctx, { sellerId })
  const vaccinate = (dose: number) =>
    makeVaccination(market.ctx, { listingId: animal, vaccineId: 1, dose, vaccinatedOn: indianDay(market.ctx.now) })
  await vaccinate(1)
  let adding: Promise<void> | undefined
  await inTransaction(market.ctx, async (ctx) => {
    await ctx.db.delete(vaccinations).where(eq(vaccinations.listingId, animal))
    adding = vaccinate(2)
    await untilLockWait(market.owner, adding)
  })
  await adding
  return (await foldedOf(animal)).isVaccinated
}

test('an animal is vaccinated when one vaccination is added while its other one is deleted', async () => {
  expect(await vaccinateWhileRemoving()).toBe(true)
})

/** Adds a second video while the first one is deleted. */
async function removeWhileFilming(): Promise<boolean> {
  const animal = await makeListing(market.ctx, { sellerId })
  const first = await makeListingClip(market.ctx, animal)
  let removing: Promise<unknown> | undefined
  await inTransaction(market.ctx, async (ctx) => {
    await makeListingClip(ctx, animal, 'video', 1)
    // Without execute, the query would start only when awaited.
    removing = market.ctx.db.delete(listingClips).where(eq(listingClips.id, first)).execute()
    await untilLockWait(market.owner, removing)
  })
  await removing
  return (await foldedOf(animal)).hasVideo
}

test('an animal has a video when one is added while its other one is deleted', async () => {
  expect(await removeWhileFilming()).toBe(true)
})

test('control: without the lock on the listing, it has no video', async () => {
  await withoutHolding('fold_video')
  expect(await removeWhileFilming()).toBe(false)
})
