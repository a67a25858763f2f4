import { setTimeout as sleep } from 'node:timers/promises'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeAddress, makeUser } from '#src/accounts/makers.server.ts'
import * as accounts from '#src/accounts/privacy.server.ts'
import { users } from '#src/accounts/tables.ts'
import { makeCartLine } from '#src/cart/makers.server.ts'
import type { Viewer } from '#src/kit/context.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { signal } from '#src/kit/testing/signal.ts'
import * as listingsPrivacy from '#src/listings/privacy.server.ts'
import { makeListing } from '#src/listings/makers.server.ts'
import { openTestMarket, type TestMarket } from '#src/testing/test-market.ts'
import { refusalOf } from '#src/testing/test-people.ts'
import { planDelivery } from './handover.server.ts'
import { makeOrder } from './makers.server.ts'
import { placeOrder } from '#src/orders/checkout/place-order.server.ts'
import { ensureNoOpenOrders, forgetPerson } from './privacy.server.ts'
import { orders } from './tables.ts'

/** Long enough for a statement to come to the lock it waits for. */
const A_WHILE_MS = 150

let market: TestMarket
beforeAll(async () => {
  market = await openTestMarket()
})
afterAll(() => market?.close())

/** A person with one animal of another person in the cart. */
async function aboutToBuy() {
  const seller = await makeUser(market.ctx, { typeId: 2 })
  const buyer = await makeUser(market.ctx, { typeId: 1 })
  await makeCartLine(market.ctx, { buyerId: buyer.id, listingId: await makeListing(market.ctx, { sellerId: seller.id }) })
  const addressId = await makeAddress(market.ctx, buyer.id)
  return { seller, buyer, place: () => placeOrder(market.as(buyer), { addressId, code: '' }), addressId }
}

/** Everything that an erasure forgets of a buyer and seller, in its order; `between` runs between the check for open orders and the end. */
const erase = (person: Viewer, between: () => Promise<unknown> = async () => {}) =>
  inTransaction(market.as(person), async (ctx) => {
    await forgetPerson(ctx, person.id)
    await between()
    await listingsPrivacy.forgetPerson(ctx, person.id)
    await accounts.forgetPerson(ctx, person.id)
  })

/** Orders that an erased person would have to give or to take. */
async function openOfTheErased(): Promise<number> {
  const { rows } = (await market.ctx.db.execute(sql`
    select count(*)::int as n from orders o where o.status < 6
      and exists (select 1 from users u where u.id in (o.buyer_id, o.seller_id) and u.erased_at is not null)`)) as unknown as {
    rows: { n: number }[]
  }
  return rows[0]!.n
}

test.each(['buyer', 'seller'] as const)('an order that comes while its %s is being erased is refused, cleanly', async (who) => {
  const made = await aboutToBuy()
  let order: Promise<string> | undefined
  await erase(made[who], async () => {
    order = refusalOf(made.place())
    await sleep(A_WHILE_MS)
  })
  expect(await order).toBe(who === 'buyer' ? 'ROLE_FORBIDDEN' : 'STOCK_CHANGED')
  expect(await openOfTheErased()).toBe(0)
})

test.each(['buyer', 'seller'] as const)('an erasure that comes while its %s’s order is being placed waits, and is refused', async (who) => {
  const made = await aboutToBuy()
  const placed = signal()
  const mayEnd = signal()
  const order = inTransaction(market.as(made.buyer), async (ctx) => {
    await placeOrder(ctx, { addressId: made.addressId, code: '' })
    placed.give()
    await mayEnd.given
  })
  await placed.given
  const erasure = refusalOf(erase(made[who]))
  await sleep(A_WHILE_MS)
  mayEnd.give()
  await order
  expect(await erasure).toBe('OPEN_ORDERS')
  expect(await openOfTheErased()).toBe(0)
})

test('a bearer whose erasure runs while they are named is refused, and a named bearer is forgotten with the rest', async () => {
  const [admin, bearer] = [await makeUser(market.ctx, { typeId: 9 }), await makeUser(market.ctx, { typeId: 4 })]
  const { id } = await makeOrder(market.ctx, { status: 4, admin })
  const plan = { deliverOn: null, deliverWindow: null, bearerPhone: bearer.phone, seen: ' '.repeat(2) }
  let planned: Promise<string> | undefined
  await erase(bearer, async () => {
    planned = refusalOf(planDelivery(market.as(admin), id, plan))
    await sleep(A_WHILE_MS)
  })
  expect(await planned).toBe('VALIDATION')
  expect((await market.ctx.db.select().from(orders).where(eq(orders.id, id)))[0]!.bearerId).toBeNull()

  const other = await makeUser(market.ctx, { typeId: 4 })
  const named = signal()
  const mayEnd = signal()
  const naming = inTransaction(market.as(admin), async (ctx) => {
    await planDelivery(ctx, id, { ...plan, bearerPhone: other.phone })
    named.give()
    await mayEnd.given
  })
  await named.given
  const erasure = erase(other)
  await sleep(A_WHILE_MS)
  mayEnd.give()
  await naming
  await erasure
  expect((await market.ctx.db.select().from(orders).where(eq(orders.id, id)))[0]!.bearerId).toBeNull()
})

test('control: an erasure that checks for open orders without a lock erases people that owe an animal', async () => {
  const { buyer, place } = await aboutToBuy()
  await ensureNoOpenOrders(market.as(buyer), buyer.id)
  await place()
  await market.ctx.db.update(users).set({ erasedAt: new Date(), isActive: false }).where(eq(users.id, buyer.id))
  expect(await openOfTheErased()).toBe(1)
})
