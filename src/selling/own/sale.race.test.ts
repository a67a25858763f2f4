import { and, eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import { makeAddress } from '#src/addresses/makers.server.ts'
import type { Ctx, Viewer } from '#src/kit/context.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { daysBefore } from '#src/kit/time-money/dates.ts'
import { rupees } from '#src/kit/time-money/money.ts'
import { queueMessage } from '#src/kit/messages/outbox.server.ts'
import { Problem } from '#src/kit/base/problem.ts'
import { auditEvents, outbox } from '#src/kit/db/tables.ts'
import { makeListing } from '#src/listings/makers.server.ts'
import { listings } from '#src/listings/tables.ts'
import { meetingOf } from '#tools/test-kit/signal.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { quickEdit } from './quick-edit.server.ts'
import { remindSellers } from './reminders.server.ts'
import { markSold } from './sale.server.ts'

let market: TestMarket
let seller: Viewer
let pickupAddressId: number
shareMarket((opened) => (market = opened))
beforeAll(async () => {
  seller = await makeUser(market.ctx, { typeId: 2 })
  pickupAddressId = await makeAddress(market.ctx, seller.id)
})

const AT_ONCE = 20
const newListing = () => makeListing(market.ctx, { sellerId: seller.id, pickupAddressId, stock: 1 })

type Edit = (ctx: Ctx, id: number, stock: number, version: number) => Promise<unknown>

/** All edits have the same version; returns how many are accepted. */
async function edited(edit: Edit): Promise<number> {
  const id = await newListing()
  const results = await Promise.all(
    Array.from({ length: AT_ONCE }, (_, n) =>
      edit(market.as(seller), id, n + 1, 1).then(
        () => true,
        (error: unknown) => {
          if (error instanceof Problem && error.code === 'VERSION') return false
          throw error
        },
      ),
    ),
  )
  return results.filter(Boolean).length
}

describe('twenty devices that change the same version of a listing', () => {
  test('one edit is accepted, the others get VERSION', async () => {
    const edit: Edit = (ctx, id, stock, version) =>
      quickEdit(ctx, id, { stock, weightKg: 420, originalPrice: rupees(85_000), offerPrice: null, version })
    expect(await edited(edit)).toBe(1)
  })

  test('control: an edit that reads the version without a row lock accepts more', async () => {
    const twoHaveLooked = meetingOf(2)
    const naive: Edit = (ctx, id, stock, version) =>
      inTransaction(ctx, async ({ db }) => {
        const [row] = await db.select({ version: listings.version }).from(listings).where(eq(listings.id, id))
        await twoHaveLooked()
        if (row!.version !== version) throw new Problem('VERSION')
        await db
          .update(listings)
          .set({ stock, version: row!.version + 1 })
          .where(eq(listings.id, id))
      })
    expect(await edited(naive)).toBeGreaterThan(1)
  })
})

test('twenty concurrent taps on "sold" sell a listing once', async () => {
  const id = await newListing()
  await Promise.all(Array.from({ length: AT_ONCE }, () => markSold(market.as(seller), id, true)))
  const [row] = await market.ctx.db.select().from(listings).where(eq(listings.id, id))
  expect(row).toMatchObject({ isSold: true, soldThroughSandhai: true, version: 2 })
  const events = await market.ctx.db.$count(
    auditEvents,
    and(eq(auditEvents.object, `listing:${id}`), eq(auditEvents.event, 'listing_sold')),
  )
  expect(events).toBe(1)
})

const now = new Date('2026-11-21T06:00:00Z')

const PROCESSES = 4

/** Ten sellers with three silent listings each, asked by several processes at once. */
async function asked(remind: (ctx: Ctx) => Promise<unknown>): Promise<number> {
  await market.ctx.db.update(listings).set({ state: 'withdrawn' })
  await market.ctx.db.delete(outbox)
  for (let n = 0; n < 10; n++) {
    const owner = await makeUser(market.ctx, { typeId: 2 })
    const address = await makeAddress(market.ctx, owner.id)
    for (let each = 0; each < 3; each++)
      await makeListing(market.ctx, { sellerId: owner.id, pickupAddressId: address, touchedAt: daysBefore(now, 95) })
  }
  await Promise.all(Array.from({ length: PROCESSES }, () => remind({ ...market.ctx, now })))
  return market.ctx.db.$count(outbox)
}

describe('four processes that send "still for sale?" at once', () => {
  test('ask each seller once', async () => {
    expect(await asked(remindSellers)).toBe(10)
  })

  test('control: a process that reads first and writes afterwards asks some sellers twice', async () => {
    const allHaveLooked = meetingOf(PROCESSES)
    const naive = (ctx: Ctx) =>
      inTransaction(ctx, async (ctx) => {
        const { rows } = (await ctx.db.execute(sql`
          select distinct l.seller_id::int as id from listings l
          where l.state = 'passed' and l.reminded_at is null and l.touched_at < ${daysBefore(now, 90).toISOString()}::timestamptz`)) as unknown as {
          rows: { id: number }[]
        }
        await allHaveLooked()
        for (const { id } of rows) await queueMessage(ctx, { channel: 'sms', to: `+91${id}`, template: 'x', locale: 'en', body: 'x' })
        // All in the same order, or they would deadlock.
        await ctx.db.execute(sql`
          update listings l set reminded_at = now()
          from (select id from listings where state = 'passed' order by id for update) held where l.id = held.id`)
      })
    expect(await asked(naive)).toBeGreaterThan(10)
  })
})
