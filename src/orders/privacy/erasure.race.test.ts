import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import { makeAddress } from '#src/addresses/makers.server.ts'
import * as accounts from '#src/accounts/privacy/privacy.server.ts'
import { users } from '#src/accounts/tables.ts'
import { makeCartLine } from '#src/cart/makers.server.ts'
import type { Viewer } from '#src/kit/context.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { signal } from '#tools/test-kit/signal.ts'
import * as listingsPrivacy from '#src/listings/privacy.server.ts'
import { makeListing } from '#src/listings/makers.server.ts'
import { untilLockWait } from '#tools/test-kit/lock-wait.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { refusalOf } from '#tools/test-kit/test-people.ts'
import { placeOrder } from '#src/orders/checkout/place-order.server.ts'
import { planDelivery } from '#src/orders/steps/handover.server.ts'
import { makeOrder } from '#src/orders/steps/makers.server.ts'
import { orders } from '../tables.ts'
import { ensureNoOpenOrders, forgetPerson } from './privacy.server.ts'

let market: TestMarket
shareMarket((opened) => (market = opened))

/** A person who has one animal of another person in the cart. */
async function buyerWithCart() {
  const seller = await makeUser(market.ctx, { typeId: 2 })
  const buyer = await makeUser(market.ctx, { typeId: 1 })
  await makeCartLine(market.ctx, { buyerId: buyer.id, listingId: await makeListing(market.ctx, { sellerId: seller.id }) })
  const addressId = await makeAddress(market.ctx, buyer.id)
  return { seller, buyer, place: () => placeOrder(market.as(buyer), { addressId, code: '' }), addressId }
}

/** All steps of the erasure of a buyer or seller, in order. `between` runs between the check for open orders and the end. */
const erase = (person: Viewer, between: () => Promise<unknown> = async () => {}) =>
  inTransaction(market.as(person), async (ctx) => {
    await forgetPerson(ctx, person.id)
    await between()
    await listingsPrivacy.forgetPerson(ctx, person.id)
    await accounts.forgetPerson(ctx, person.id)
  })

/** Number of open orders whose buyer or seller is erased. */
async function openOfTheErased(): Promise<number> {
  const { rows } = (await market.ctx.db.execute(sql`
    select count(*)::int as n from orders o where o.status < 6
      and exists (select 1 from users u where u.id in (o.buyer_id, o.seller_id) and u.erased_at is not null)`)) as unknown as {
    rows: { n: number }[]
  }
  return rows[0]!.n
}

test.each(['buyer', 'seller'] as const)('an order placed while its %s is being erased is refused with a Problem', async (who) => {
  const made = await buyerWithCart()
  let order: Promise<string> | undefined
  await erase(made[who], async () => {
    order = refusalOf(made.place())
    await untilLockWait(market.ctx.db)
  })
  expect(await order).toBe(who === 'buyer' ? 'ROLE_FORBIDDEN' : 'STOCK_CHANGED')
  expect(await openOfTheErased()).toBe(0)
})

test.each(['buyer', 'seller'] as const)(
  'an erasure that starts while the order of its %s is being placed waits and is refused',
  async (who) => {
    const made = await buyerWithCart()
    const placed = signal()
    const mayEnd = signal()
    const order = inTransaction(market.as(made.buyer), async (ctx) => {
      await placeOrder(ctx, { addressId: made.addressId, code: '' })
      placed.give()
      await mayEnd.given
    })
    await placed.given
    const erasure = refusalOf(erase(made[who]))
    await untilLockWait(market.ctx.db)
    mayEnd.give()
    await order
    expect(await erasure).toBe('OPEN_ORDERS')
    expect(await openOfTheErased()).toBe(0)
  },
)

test('naming a bearer whose erasure runs is refused, and an erasure deletes a named bearer', async () => {
  const [admin, bearer] = [await makeUser(market.ctx, { typeId: 9 }), await makeUser(market.ctx, { typeId: 4 })]
  const { id } = await makeOrder(market.ctx, { status: 4, admin })
  const plan = { deliverOn: null, deliverWindow: null, bearerPhone: bearer.phone, seen: ' '.repeat(2) }
  let planned: Promise<string> | undefined
  await erase(bearer, async () => {
    planned = refusalOf(planDelivery(market.as(admin), id, plan))
    await untilLockWait(market.ctx.db)
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
  await untilLockWait(market.ctx.db)
  mayEnd.give()
  await naming
  await erasure
  expect((await market.ctx.db.select().from(orders).where(eq(orders.id, id)))[0]!.bearerId).toBeNull()
})

test('control: an erasure that checks for open orders without a lock erases people with open orders', async () => {
  const { buyer, place } = await buyerWithCart()
  await ensureNoOpenOrders(market.as(buyer), buyer.id)
  await place()
  await market.ctx.db.update(users).set({ erasedAt: new Date(), isActive: false }).where(eq(users.id, buyer.id))
  expect(await openOfTheErased()).toBe(1)
})
