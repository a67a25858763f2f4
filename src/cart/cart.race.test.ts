import { and, eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import { makeAddress } from '#src/addresses/makers.server.ts'
import type { Ctx, Viewer } from '#src/kit/context.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { Problem } from '#src/kit/base/problem.ts'
import { meetingOf } from '#tools/test-kit/signal.ts'
import { makeListing } from '#src/listings/makers.server.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { addToCart } from './commands.server.ts'
import { MAX_LINES } from './rules.ts'
import { cartLines } from './tables.ts'

let market: TestMarket
let ids: number[]
shareMarket((opened) => (market = opened))
beforeAll(async () => {
  const seller = await makeUser(market.ctx, { typeId: 2 })
  const pickupAddressId = await makeAddress(market.ctx, seller.id)
  ids = []
  for (let n = 0; n < MAX_LINES + AT_ONCE; n++) ids.push(await makeListing(market.ctx, { sellerId: seller.id, pickupAddressId, stock: 9 }))
})

const AT_ONCE = 20
type Add = (ctx: Ctx, listingId: number) => Promise<unknown>

/** Twenty concurrent devices add different listings to a cart with two free places. Returns the number of lines afterwards. */
async function linesAfter(add: Add): Promise<{ lines: number; refused: number; buyer: Viewer }> {
  const buyer = await makeUser(market.ctx)
  const held = ids.slice(0, MAX_LINES - 2)
  await market.ctx.db
    .insert(cartLines)
    .values(held.map((listingId) => ({ buyerId: buyer.id, listingId, count: 1, seenPrice: 1n, seenStock: 1 })))
  const results = await Promise.all(
    ids.slice(MAX_LINES, MAX_LINES + AT_ONCE).map((id) =>
      add(market.as(buyer), id).then(
        () => 0,
        (error: unknown) => {
          if (error instanceof Problem && error.code === 'CART_FULL') return 1
          throw error
        },
      ),
    ),
  )
  const lines = await market.ctx.db.$count(cartLines, eq(cartLines.buyerId, buyer.id))
  return { lines, refused: results.reduce((sum: number, each) => sum + each, 0), buyer }
}

describe('twenty devices that fill the last two places of a cart', () => {
  test('two succeed, the others get CART_FULL', async () => {
    const { lines, refused } = await linesAfter((ctx, listingId) => addToCart(ctx, { listingId, count: 1 }))
    expect([lines, refused]).toEqual([MAX_LINES, AT_ONCE - 2])
  })

  test('control: counting the lines without locking the cart accepts more', async () => {
    // The pool's connections less one: all of them have counted before the first one writes.
    const haveCounted = meetingOf(5)
    const naive: Add = (ctx, listingId) =>
      inTransaction(ctx, async ({ db, viewer }) => {
        const lines = await db.$count(cartLines, eq(cartLines.buyerId, viewer!.id))
        await haveCounted()
        if (lines >= MAX_LINES) throw new Problem('CART_FULL')
        await db.insert(cartLines).values({ buyerId: viewer!.id, listingId, count: 1, seenPrice: 1n, seenStock: 1 })
      })
    expect((await linesAfter(naive)).lines).toBeGreaterThan(MAX_LINES)
  })
})

test('the same animal from twenty concurrent devices is one line with one of their counts', async () => {
  const buyer = await makeUser(market.ctx)
  const counts = Array.from({ length: AT_ONCE }, (_, n) => (n % 9) + 1)
  const answers = await Promise.all(counts.map((count) => addToCart(market.as(buyer), { listingId: ids[0]!, count })))
  expect(new Set(answers)).toEqual(new Set([1]))
  const lines = await market.ctx.db
    .select()
    .from(cartLines)
    .where(and(eq(cartLines.buyerId, buyer.id)))
  expect(lines).toHaveLength(1)
  expect(counts).toContain(lines[0]!.count)
})
