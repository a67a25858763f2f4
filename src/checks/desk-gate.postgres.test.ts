import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import type { Viewer } from '#src/kit/context.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { signal } from '#tools/test-kit/signal.ts'
import { makeListing } from '#src/listings/makers.server.ts'
import { makeOrder } from '#src/orders/steps/makers.server.ts'
import { untilLockWait } from '#tools/test-kit/lock-wait.ts'
import { shareTestApp, type TestApp } from '#tools/test-kit/test-app.ts'

// One address for everybody: an office shares its connection with visitors.
const address = '198.51.100.7'
/** The share of one address in each gate while the process is late. */
const SHARE = { reads: 2, writes: 8 }

let app: TestApp
let admin: Viewer
const buyers: Viewer[] = []
shareTestApp((opened) => (app = opened))
beforeAll(async () => {
  admin = await makeUser(app.ctx, { typeId: 9 })
  for (let n = 0; n <= SHARE.writes; n++) buyers.push(await makeUser(app.ctx))
})

const addToCart = (buyer: Viewer, product: number) =>
  app.call(`/api/v1/buyercart/buyer=${buyer.id}`, { method: 'POST', as: buyer, csrf: true, address, json: { product, items_count: 1 } })
const statusOf = async (answer: Promise<Response>) => (await answer).status

const readCart = (buyer: Viewer) => app.call(`/api/v1/buyercart/buyer=${buyer.id}`, { as: buyer, address })

/** Locks these tables in a transaction of its own until `unlock`. */
async function lockTables(names: string): Promise<{ unlock: () => Promise<unknown> }> {
  const { given: released, give: release } = signal()
  const { given: locked, give: lock } = signal()
  const lockHolder = inTransaction(app.ctx, async (ctx) => {
    await ctx.db.execute(sql.raw(`lock table ${names} in access exclusive mode`))
    lock()
    await released
  })
  await locked
  const unlock = () => {
    release()
    return lockHolder
  }
  return { unlock }
}

/** Runs `act` while a late process has as many reads or writes of buyers inside as one address may have. */
async function whileBuyersFill(
  gate: 'reads' | 'writes',
  act: (product: number) => Promise<number>,
): Promise<{ status: number; buyers: number[] }> {
  const product = await makeListing(app.ctx, { stock: 100 })
  const { unlock } = await lockTables('cart_lines')
  const crowd = buyers.slice(0, SHARE[gate]).map((buyer) => (gate === 'reads' ? readCart(buyer) : addToCart(buyer, product)))
  const answers = Promise.all(crowd.map(statusOf))
  while (app.market.gates![gate]!.inside < crowd.length) await sleep(5)
  await untilLockWait(app.ctx.db)
  app.lateness.ms = 10_000
  try {
    const status = await act(product)
    await unlock()
    return { status, buyers: await answers }
  } finally {
    app.lateness.ms = 0
    await Promise.all([unlock(), answers])
  }
}

test('an admin steps an order while buyers fill the gate of writes', async () => {
  const { id } = await makeOrder(app.ctx, { buyer: buyers[0]! })
  const call = () => app.call(`/api/v1/order-detail-status/id=${id}/2`, { method: 'PUT', as: admin, csrf: true, address })
  expect(await whileBuyersFill('writes', () => statusOf(call()))).toEqual({ status: 200, buyers: Array(SHARE.writes).fill(200) })
})

test('an admin reads their desk while buyers fill the gate of reads', async () => {
  const read = () => app.call('/api/v1/admin/verification-queue', { as: admin, address })
  expect((await whileBuyersFill('reads', () => statusOf(read()))).status).toBe(200)
})

test('buyers who read their orders take no slot and no connection of the office', async () => {
  const { unlock } = await lockTables('orders')
  const answers = Promise.all(
    Array.from({ length: 8 }, (_, n) => statusOf(app.call(`/api/v1/order/buyer=${buyers[n]!.id}&type=ongoing`, { as: buyers[n]! }))),
  )
  while (app.market.gates!.reads!.inside < 8) await sleep(5)
  try {
    expect(app.market.gates!.desks!.inside).toBe(0)
    expect(await statusOf(app.call('/api/v1/admin/verification-queue', { as: admin, address }))).toBe(200)
  } finally {
    await unlock()
  }
  expect(await answers).toEqual(Array(8).fill(200))
})

/** Runs `act` while statements of visitors hold every connection of their pool. */
async function whileVisitorsHoldTheDatabase(act: () => Promise<number>): Promise<number> {
  const { given: released, give: release } = signal()
  let held = 0
  const visitors = Array.from({ length: 10 }, () =>
    inTransaction(app.ctx, async (ctx) => {
      await ctx.db.execute(sql`select 1`)
      held += 1
      await released
    }),
  )
  while (held < visitors.length) await sleep(5)
  try {
    return await act()
  } finally {
    release()
    await Promise.all(visitors)
  }
}

test('the office reads and decides while visitors hold all connections of their pool', async () => {
  const { id } = await makeOrder(app.ctx, { buyer: buyers[0]! })
  const read = () => app.call('/api/v1/admin/verification-queue', { as: admin, address })
  const step = () => app.call(`/api/v1/order-detail-status/id=${id}/2`, { method: 'PUT', as: admin, csrf: true, address })
  expect(await whileVisitorsHoldTheDatabase(() => statusOf(read()))).toBe(200)
  expect(await whileVisitorsHoldTheDatabase(() => statusOf(step()))).toBe(200)
})

test('control: a buyer gets a 503 without a free connection', async () => {
  expect(await whileVisitorsHoldTheDatabase(() => statusOf(readCart(buyers[0]!)))).toBe(503)
})

test('the office gets an answer that takes longer than it takes to refuse a buyer', async () => {
  const { unlock } = await lockTables('listings, cart_lines')
  const office = statusOf(app.call('/api/v1/admin/verification-queue', { as: admin, address }))
  // Both wait for the lock. The refusal of the buyer is the control, and tells when the time of a visitor has passed.
  expect(await statusOf(readCart(buyers[0]!))).toBe(503)
  await unlock()
  expect(await office).toBe(200)
})

test('control: one more buyer is refused by the same load', async () => {
  const more = buyers[SHARE.writes]!
  expect((await whileBuyersFill('writes', (product) => statusOf(addToCart(more, product)))).status).toBe(503)
  expect((await whileBuyersFill('reads', () => statusOf(readCart(more)))).status).toBe(503)
})
