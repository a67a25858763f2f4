import { and, eq, isNull } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import type { Ctx } from '#src/kit/context.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { Problem } from '#src/kit/base/problem.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { makeUser } from '#src/accounts/makers.server.ts'
import { MAX_ADDRESSES } from './address-limits.ts'
import { addAddress } from './addresses.server.ts'
import { makeAddress } from './makers.server.ts'
import { addresses } from './tables.ts'

let market: TestMarket
shareMarket((opened) => (market = opened))

const input = { name: 'Selvi', phone: '+919876543210', typeId: 1, address1: '12 Temple Street', address2: 'Perundurai', pincode: '638052' }
const AT_ONCE = 40
const ALREADY = 15

/** Forty concurrent additions to a book with fifteen addresses. Returns the number of accepted ones and of addresses afterwards. */
async function burst(take: (ctx: Ctx, ownerId: number) => Promise<unknown>): Promise<{ taken: number; held: number }> {
  const owner = await makeUser(market.ctx)
  for (let n = 0; n < ALREADY; n++) await makeAddress(market.ctx, owner.id)
  const taken = await Promise.all(
    Array.from({ length: AT_ONCE }, () =>
      take(market.as(owner), owner.id).then(
        () => true,
        (error: unknown) => {
          if (error instanceof Problem && error.code === 'TOO_MANY_ADDRESSES') return false
          throw error
        },
      ),
    ),
  )
  const held = await market.ctx.db.$count(addresses, and(eq(addresses.userId, owner.id), isNull(addresses.removedAt)))
  return { taken: taken.filter(Boolean).length, held }
}

describe('concurrent additions to an almost full address book', () => {
  test('fill exactly the free places', async () => {
    expect(await burst((ctx, ownerId) => addAddress(ctx, ownerId, input))).toEqual({
      taken: MAX_ADDRESSES - ALREADY,
      held: MAX_ADDRESSES,
    })
  })

  test('control: counting without locking the book accepts more', async () => {
    const naive = (ctx: Ctx, ownerId: number) =>
      inTransaction(ctx, async (ctx) => {
        if ((await ctx.db.$count(addresses, eq(addresses.userId, ownerId))) >= MAX_ADDRESSES) throw new Problem('TOO_MANY_ADDRESSES')
        await ctx.db.insert(addresses).values({ ...input, userId: ownerId })
      })
    expect((await burst(naive)).held).toBeGreaterThan(MAX_ADDRESSES)
  })
})
