import { eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import { makeAddress } from '#src/addresses/makers.server.ts'
import type { Ctx, Viewer } from '#src/kit/context.ts'
import { outbox } from '#src/kit/db/tables.ts'
import { makeListing } from '#src/listings/makers.server.ts'
import { listings } from '#src/listings/tables.ts'
import { often } from '#tools/test-kit/often.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { refusalOf } from '#tools/test-kit/test-people.ts'
import { verifications } from './tables.ts'
import { getToVerify } from './to-verify.server.ts'
import { readToVerify } from './verification-facts.server.ts'
import { verifyListing, type Verdict } from './verify-listing.server.ts'

const LISTINGS = often(30, 150)

let market: TestMarket
let admins: [Viewer, Viewer]
shareMarket((opened) => (market = opened))
beforeAll(async () => {
  admins = [await makeUser(market.ctx, { typeId: 9 }), await makeUser(market.ctx, { typeId: 9 })]
})

type Decide = (ctx: Ctx, id: number, verdict: Verdict) => Promise<void>

/** Two admins open each listing; then one passes it and the other fails it at once. Returns how each listing ended. */
async function decideAtOnce(decide: Decide) {
  const ends: { taken: number; verdicts: number; messages: number; isStateOfLast: boolean }[] = []
  for (let n = 0; n < LISTINGS; n++) {
    const seller = await makeUser(market.ctx, { typeId: 2 })
    const facts = { sellerId: seller.id, pickupAddressId: await makeAddress(market.ctx, seller.id), state: 'pending' as const }
    const id = await makeListing(market.ctx, facts)
    const opened = admins.map(async (admin) => readToVerify(market.as(admin), await getToVerify(market.as(admin), id)).seen)
    const [first, second] = (await Promise.all(opened)) as [string, string]
    const outcomes = await Promise.all([
      refusalOf(decide(market.as(admins[0]), id, { passed: true, comment: 'Good.', seen: first })),
      refusalOf(decide(market.as(admins[1]), id, { passed: false, comment: 'Listed already.', seen: second })),
    ])
    const [row] = await market.ctx.db.select().from(listings).where(eq(listings.id, id))
    const verdicts = await market.ctx.db.select().from(verifications).where(eq(verifications.listingId, id)).orderBy(verifications.id)
    ends.push({
      taken: outcomes.filter((each) => each === 'taken').length,
      verdicts: verdicts.length,
      messages: await market.ctx.db.$count(outbox, eq(outbox.recipient, seller.phone)),
      isStateOfLast: row!.state === (verdicts.at(-1)!.passed ? 'passed' : 'failed'),
    })
  }
  return ends
}

test('of two verdicts on the same state one is taken, and the seller gets one message', async () => {
  const ends = await decideAtOnce(verifyListing)
  for (const end of ends) expect(end).toEqual({ taken: 1, verdicts: 1, messages: 1, isStateOfLast: true })
})

test('control: without the state that was seen both verdicts are taken', async () => {
  const ends = await decideAtOnce((ctx, id, { passed, comment }) => verifyListing(ctx, id, { passed, comment }))
  expect(ends.some(({ taken, messages }) => taken === 2 && messages === 2)).toBe(true)
})
