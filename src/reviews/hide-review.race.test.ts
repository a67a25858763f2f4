import { eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import type { Ctx, Viewer } from '#src/kit/context.ts'
import { outbox } from '#src/kit/db/tables.ts'
import { often } from '#tools/test-kit/often.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { refusalOf } from '#tools/test-kit/test-people.ts'
import { makeReview } from './makers.server.ts'
import { sellerReviews } from './tables.ts'
import { decideReview } from './hide-review.server.ts'
import { seenReview } from './seen-review.ts'

const REVIEWS = often(30, 150)

let market: TestMarket
let admins: [Viewer, Viewer]
shareMarket((opened) => (market = opened))
beforeAll(async () => {
  admins = [await makeUser(market.ctx, { typeId: 9 }), await makeUser(market.ctx, { typeId: 9 })]
})

type Decide = typeof decideReview

/** Two admins read the same review and hide it at once, each with a reason of their own. */
async function hideAtOnce(decide: Decide) {
  const ends: { taken: number; messages: number }[] = []
  for (let n = 0; n < REVIEWS; n++) {
    const [seller, author] = [await makeUser(market.ctx, { typeId: 2 }), await makeUser(market.ctx)]
    await makeReview(market.ctx, { sellerId: seller.id, reviewerId: author.id, stars: 5 })
    const [review] = await market.ctx.db.select().from(sellerReviews).where(eq(sellerReviews.reviewerId, author.id))
    const outcomes = await Promise.all(
      admins.map((admin) =>
        refusalOf(decide(market.as(admin), review!.id, { seen: seenReview(review!), reason: `Invented, says ${admin.id}` })),
      ),
    )
    ends.push({
      taken: outcomes.filter((each) => each === 'taken').length,
      messages: await market.ctx.db.$count(outbox, eq(outbox.recipient, author.phone)),
    })
  }
  return ends
}

test('of two decisions on the same state one is taken, and the author gets one message', async () => {
  for (const end of await hideAtOnce(decideReview)) expect(end).toEqual({ taken: 1, messages: 1 })
})

/** Reads the state at the decision instead of at the page, as a form without `seen` would. */
async function decideAsItIs(ctx: Ctx, id: number, { reason }: Parameters<Decide>[2]): Promise<void> {
  for (;;) {
    const [review] = await ctx.db.select().from(sellerReviews).where(eq(sellerReviews.id, id))
    const outcome = await refusalOf(decideReview(ctx, id, { seen: seenReview(review!), reason }))
    if (outcome === 'taken') return
  }
}

test('control: without the state that was seen both decisions are taken, and the author gets two messages', async () => {
  const ends = await hideAtOnce(decideAsItIs)
  expect(ends.some(({ taken, messages }) => taken === 2 && messages === 2)).toBe(true)
})
