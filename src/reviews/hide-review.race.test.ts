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
import { decideReview, undoHideReview } from './hide-review.server.ts'
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

const reviewOf = async (id: number) => (await market.ctx.db.select().from(sellerReviews).where(eq(sellerReviews.id, id)))[0]!

/** An admin undoes a hiding while another one shows the review and hides it for a reason of their own. Returns the end of the undo. */
async function undoWhileDeciding(undo: (ctx: Ctx, id: number, decide: () => Promise<void>) => Promise<string>) {
  const [seller, author] = [await makeUser(market.ctx, { typeId: 2 }), await makeUser(market.ctx)]
  await makeReview(market.ctx, { sellerId: seller.id, reviewerId: author.id, stars: 5 })
  const [written] = await market.ctx.db.select({ id: sellerReviews.id }).from(sellerReviews).where(eq(sellerReviews.reviewerId, author.id))
  const { id } = written!
  await decideReview(market.as(admins[0]), id, { seen: seenReview(await reviewOf(id)), reason: 'Invented' })
  const shown = await reviewOf(id)
  let decided = ''
  const decide = async () => {
    const other = market.as(admins[1], { now: new Date(Date.now() + 1000) })
    decided = await refusalOf(decideReview(other, id, { seen: seenReview(shown), reason: 'Abuse' }))
  }
  const undone = await undo(market.as(admins[0], { now: new Date(Date.now() + 500) }), id, decide)
  return {
    undone,
    decided,
    reason: (await reviewOf(id)).hiddenReason,
    messages: await market.ctx.db.$count(outbox, eq(outbox.recipient, author.phone)),
  }
}

test('of an undone hiding and another admin’s decision at once one counts, and the author reads only a reason that holds', async () => {
  for (let n = 0; n < REVIEWS; n++) {
    const end = await undoWhileDeciding(async (ctx, id, decide) => (await Promise.all([refusalOf(undoHideReview(ctx, id)), decide()]))[0])
    expect(end).toEqual(
      end.undone === 'taken'
        ? { undone: 'taken', decided: 'VERSION', reason: null, messages: 0 }
        : { undone: 'VERSION', decided: 'taken', reason: 'Abuse', messages: 2 },
    )
  }
})

test('control: an undo that reads the review without a lock shows what another admin has hidden', async () => {
  const end = await undoWhileDeciding(async ({ db, viewer }, id, decide) => {
    const { decidedById } = await reviewOf(id)
    await decide()
    if (decidedById !== viewer?.id) throw new Error('decided since')
    await db.update(sellerReviews).set({ isHidden: false, hiddenReason: null }).where(eq(sellerReviews.id, id))
    return 'taken'
  })
  expect(end).toEqual({ undone: 'taken', decided: 'taken', reason: null, messages: 2 })
})
