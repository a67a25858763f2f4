import { asc, eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { makeUser } from '../accounts/makers.server.ts'
import { makeAddress } from '#src/addresses/makers.server.ts'
import type { Ctx, Viewer } from '../kit/context.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { refusalOf } from '#tools/test-kit/test-people.ts'
import { verifications } from '#src/verification/tables.ts'
import { verifyListing, type Verdict } from '#src/verification/verify-listing.server.ts'
import { makeListing } from './makers.server.ts'
import { listings } from './tables.ts'

const ADMINS = 10
const LISTINGS = 20
const VERDICTS = 200

let market: TestMarket
let admins: Viewer[]
let sellerId: number
let pickupAddressId: number

shareMarket((opened) => (market = opened))
beforeAll(async () => {
  admins = []
  for (let n = 0; n < ADMINS; n++) admins.push(await makeUser(market.ctx, { typeId: 9 }))
  sellerId = (await makeUser(market.ctx, { typeId: 2 })).id
  pickupAddressId = await makeAddress(market.ctx, sellerId)
})

type Verify = (ctx: Ctx, id: number, verdict: Verdict) => Promise<void>

const waiting = () => makeListing(market.ctx, { sellerId, pickupAddressId, state: 'pending', stock: 7 })

/** Ten admins pass and fail twenty listings concurrently. Returns each listing with its verdicts in order. */
async function crowd(verify: Verify) {
  const ids: number[] = []
  for (let n = 0; n < LISTINGS; n++) ids.push(await waiting())
  const ends = await Promise.all(
    Array.from({ length: VERDICTS }, (_, n) =>
      // Ten admins at a time on the same listing; half of them pass it.
      refusalOf(verify(market.as(admins[n % ADMINS]!), ids[Math.floor(n / ADMINS)]!, { passed: n % 2 === 0, comment: `verdict ${n}` })),
    ),
  )
  const after = await Promise.all(
    ids.map(async (id) => ({
      listing: (await market.ctx.db.select().from(listings).where(eq(listings.id, id)))[0]!,
      events: await market.ctx.db.select().from(verifications).where(eq(verifications.listingId, id)).orderBy(asc(verifications.id)),
    })),
  )
  return { ends, after }
}

const disagrees = ({ listing, events }: Awaited<ReturnType<typeof crowd>>['after'][number]) => {
  const last = events.at(-1)
  const state = last === undefined ? 'pending' : last.passed ? 'passed' : 'failed'
  return listing.state !== state || listing.verificationComment !== (last?.comment ?? null)
}

describe(`${VERDICTS} concurrent verdicts by ${ADMINS} admins on ${LISTINGS} listings`, () => {
  test('each listing has the state of its last verdict, every accepted verdict is stored, and the stock is unchanged', async () => {
    const { ends, after } = await crowd(verifyListing)
    expect(new Set(ends)).toEqual(new Set(['taken', 'LISTING_STEP']))
    expect(after.filter(disagrees)).toEqual([])
    expect(after.reduce((sum, { events }) => sum + events.length, 0)).toBe(ends.filter((end) => end === 'taken').length)
    for (const { listing, events } of after) {
      expect(listing.stock).toBe(7)
      // Pass and fail alternate, so every admin decided on a state that they had read under the lock.
      for (const [n, event] of events.entries()) if (n > 0) expect(event.passed).toBe(!events[n - 1]!.passed)
    }
  })

  test('control: two statements without a lock leave a listing whose state differs from its last verdict', async () => {
    const naive: Verify = async (ctx, listingId, { passed, comment }) => {
      await ctx.db.insert(verifications).values({ listingId, adminId: ctx.viewer!.id, passed, comment })
      // On a busy machine, such pauses happen anyway.
      await ctx.db.execute(sql`select pg_sleep(random() * 0.01)`)
      await ctx.db
        .update(listings)
        .set({ state: passed ? 'passed' : 'failed', verificationComment: comment })
        .where(eq(listings.id, listingId))
    }
    const wrong: unknown[] = []
    for (let round = 0; round < 5 && wrong.length === 0; round++) wrong.push(...(await crowd(naive)).after.filter(disagrees))
    expect(wrong.length).toBeGreaterThan(0)
  })
})

describe('a seller changes the animal while an admin passes the old description', () => {
  const ROUNDS = 40

  type Pass = (ctx: Ctx, id: number, edit: () => Promise<unknown>) => Promise<unknown>

  /** Returns whether the listing ends as passed with a description that no admin saw. */
  async function duel(pass: Pass): Promise<boolean> {
    const id = await waiting()
    const edit = () =>
      inTransaction(market.ctx, async (ctx) => {
        const [row] = await ctx.db.select().from(listings).where(eq(listings.id, id)).for('update')
        await ctx.db
          .update(listings)
          .set({ state: 'pending', description: 'another', version: row!.version + 1 })
          .where(eq(listings.id, id))
      })
    await pass(market.as(admins[0]!), id, edit)
    const [row] = await market.ctx.db.select().from(listings).where(eq(listings.id, id))
    return row!.state === 'passed' && row!.version !== 1
  }

  test('an unseen description never passes', async () => {
    const atOnce: Pass = (ctx, id, edit) =>
      Promise.all([edit(), refusalOf(verifyListing(ctx, id, { passed: true, comment: 'Good.', seen: '1.0' }))])
    for (let round = 0; round < ROUNDS; round++) expect(await duel(atOnce)).toBe(false)
  })

  test('control: read, then write without a lock passes an unseen description', async () => {
    const naive: Pass = async (ctx, id, edit) => {
      const [row] = await ctx.db.select().from(listings).where(eq(listings.id, id))
      await edit()
      if (row!.version === 1) await ctx.db.update(listings).set({ state: 'passed' }).where(eq(listings.id, id))
    }
    expect(await duel(naive)).toBe(true)
  })
})
