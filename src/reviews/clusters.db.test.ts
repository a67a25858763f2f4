import { eq, sql } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import { users } from '#src/accounts/tables.ts'
import type { Viewer } from '#src/kit/context.ts'
import { auditEvents, outbox } from '#src/kit/db/tables.ts'
import { problemDetail } from '#src/kit/problem-text.ts'
import { Problem } from '#src/kit/base/problem.ts'
import { MESSAGE_DELAY_SECONDS } from '#src/kit/undo-seconds.ts'
import { makeListing } from '#src/listings/makers.server.ts'
import { getProductWithRelated } from '#src/listings/queries.server.ts'
import { shareTestApp, type TestApp } from '#tools/test-kit/test-app.ts'
import { refusalOf } from '#tools/test-kit/test-people.ts'
import { exportPerson, forgetPerson } from './privacy.server.ts'
import { reviewNetworks, sellerReviews } from './tables.ts'
import { listClusters, listHiddenReviews } from './clusters.server.ts'
import { decideReview, undoHideReview } from './hide-review.server.ts'
import { sweepReviewNetworks } from './retention.server.ts'
import { answerReview, findOwnReview, reviewSeller } from './reviews.server.ts'
import { getSeller } from './seller.server.ts'

let app: TestApp
let admin: Viewer
shareTestApp((opened) => (app = opened))
beforeAll(async () => {
  admin = await makeUser(app.ctx, { typeId: 9, name: 'Kavitha' })
})
beforeEach(() => app.ctx.db.delete(sellerReviews))

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const newSeller = () => makeUser(app.ctx, { typeId: 2, name: 'Murugesan' })
/** One address for each review unless a test says otherwise. */
let lastAddress = 0
const newAddress = () => `203.0.113.${(lastAddress += 1)}`

interface Written {
  minutesAgo: number
  /** Age of the author's account when they write. */
  daysOld?: number
  address?: string
}

/** Returns the author. */
async function write(seller: Viewer, { minutesAgo, daysOld = 30, address = newAddress() }: Written): Promise<Viewer> {
  const at = new Date(app.ctx.now.getTime() - minutesAgo * MINUTE)
  const author = await makeUser(app.ctx)
  await app.ctx.db
    .update(users)
    .set({ createdAt: new Date(at.getTime() - daysOld * DAY) })
    .where(eq(users.id, author.id))
  await reviewSeller(app.as(author, { now: at }), seller.id, { stars: 5, comment: 'Very good' }, address)
  return author
}

const clusters = async () => (await listClusters(app.as(admin))).clusters
const reviewOf = async (author: Viewer) =>
  (await app.ctx.db.select().from(sellerReviews).where(eq(sellerReviews.reviewerId, author.id)))[0]!

/** Hides the review of this author from the state that the desk shows. */
async function hide(author: Viewer, reason = 'Written by one person under three names.') {
  const review = (await clusters()).flatMap(({ reviews }) => reviews).find((each) => each.author.id === author.id)!
  await decideReview(app.as(admin), review.id, { seen: review.seen, reason })
}

describe('the desk lists reviews that came together', () => {
  test('three of one seller within an hour, and not a fourth two hours later', async () => {
    const seller = await newSeller()
    const within = [
      await write(seller, { minutesAgo: 300 }),
      await write(seller, { minutesAgo: 270 }),
      await write(seller, { minutesAgo: 241 }),
    ]
    await write(seller, { minutesAgo: 120 })
    expect(await clusters()).toMatchObject([
      {
        seller: { id: seller.id },
        reviews: within.map(({ id }) => ({ author: { id }, isSameHour: true, isSameNetwork: false, isYoung: false })),
      },
    ])
  })

  test('two from one network within the week', async () => {
    const seller = await newSeller()
    const address = newAddress()
    const both = [await write(seller, { minutesAgo: 5 * 24 * 60, address }), await write(seller, { minutesAgo: 10, address })]
    await write(seller, { minutesAgo: 5 })
    expect(await clusters()).toMatchObject([
      { reviews: both.map(({ id }) => ({ author: { id }, isSameHour: false, isSameNetwork: true, isYoung: false })) },
    ])
  })

  test('three within a day by accounts younger than a day', async () => {
    const seller = await newSeller()
    const young = []
    for (const minutesAgo of [1200, 700, 100]) young.push(await write(seller, { minutesAgo, daysOld: 0.5 }))
    await write(seller, { minutesAgo: 400, daysOld: 2 })
    expect(await clusters()).toMatchObject([
      { reviews: young.map(({ id }) => ({ author: { id }, isSameHour: false, isSameNetwork: false, isYoung: true })) },
    ])
  })

  test('no reviews of different sellers, no two of one seller, and none of last week', async () => {
    const seller = await newSeller()
    for (const minutesAgo of [20, 10]) await write(seller, { minutesAgo })
    const address = newAddress()
    for (let n = 0; n < 3; n++) await write(await newSeller(), { minutesAgo: 10, address })
    const earlier = await newSeller()
    for (let n = 0; n < 3; n++) await write(earlier, { minutesAgo: 8 * 24 * 60 })
    expect(await clusters()).toEqual([])
  })

  test('to admins only', async () => {
    for (const typeId of [1, 2, 3, 4, 5]) {
      const person = app.as(await makeUser(app.ctx, { typeId }))
      expect(await refusalOf(listClusters(person))).toBe('ROLE_FORBIDDEN')
      expect(await refusalOf(listHiddenReviews(person))).toBe('ROLE_FORBIDDEN')
      expect(await refusalOf(decideReview(person, 1, { seen: '1.0', reason: 'No' }))).toBe('ROLE_FORBIDDEN')
    }
  })
})

describe('a hidden review', () => {
  test('counts in no average and stands in no list, until it is shown again', async () => {
    const seller = await newSeller()
    const animal = await makeListing(app.ctx, { sellerId: seller.id })
    const authors = []
    for (const minutesAgo of [30, 20, 10]) authors.push(await write(seller, { minutesAgo }))
    const counted = async () => {
      const page = await getSeller(app.ctx, seller.id)
      const { product, reviews } = await getProductWithRelated(app.ctx, animal, null)
      const onWire = (await (await app.call(`/api/v1/sellerrating/seller=${seller.id}`)).json()) as object[]
      expect([
        product.seller.ratings,
        product.seller.reviews,
        reviews.length,
        page.reviewCount,
        page.reviews.length,
        onWire.length,
      ]).toEqual(Array.from({ length: 6 }, () => page.ratings))
      return page.ratings
    }
    expect(await counted()).toBe(3)
    await hide(authors[0]!)
    expect(await counted()).toBe(2)
    const { reviews } = await listHiddenReviews(app.as(admin))
    expect(reviews).toMatchObject([{ author: { id: authors[0]!.id }, seller: { id: seller.id }, hidden: { adminName: 'Kavitha' } }])
    await decideReview(app.as(admin), reviews[0]!.id, { seen: reviews[0]!.seen, reason: null })
    expect(await counted()).toBe(3)
    const events = await app.ctx.db
      .select()
      .from(auditEvents)
      .where(eq(auditEvents.object, `user:${seller.id}`))
    expect(events.map(({ event }) => event).filter((event) => /_(hidden|shown)$/.test(event))).toEqual(['review_hidden', 'review_shown'])
  })

  test('tells its author why, by message and at the form, and cannot be answered', async () => {
    const seller = await newSeller()
    const authors = []
    for (const minutesAgo of [30, 20, 10]) authors.push(await write(seller, { minutesAgo }))
    const [author] = authors
    await hide(author!)
    const reason = 'Written by one person under three names.'
    const [sms] = await app.ctx.db.select().from(outbox).where(eq(outbox.userId, author!.id))
    expect(sms).toMatchObject({ template: 'review-hidden', variables: { name: 'Murugesan', reason } })
    expect(await findOwnReview(app.as(author!), seller.id)).toMatchObject({ hiddenReason: reason })
    expect(await refusalOf(answerReview(app.as(seller), (await reviewOf(author!)).id, 'Not so.'))).toBe('NOT_FOUND')
    // A changed text stays hidden.
    await reviewSeller(app.as(author!), seller.id, { stars: 1, comment: 'Bad' }, newAddress())
    expect(await reviewOf(author!)).toMatchObject({ stars: 1, isHidden: true })
    expect((await getSeller(app.ctx, seller.id)).ratings).toBe(2)
  })

  test('is not decided from a state that is gone: the refusal says what, who and when', async () => {
    const seller = await newSeller()
    const authors = []
    for (const minutesAgo of [30, 20, 10]) authors.push(await write(seller, { minutesAgo }))
    const { id, seen } = (await clusters())[0]!.reviews[0]!
    const other = await makeUser(app.ctx, { typeId: 9 })
    await reviewSeller(app.as(authors[0]!), seller.id, { stars: 2, comment: 'Not so good' }, newAddress())
    expect(await refusalOf(decideReview(app.as(other), id, { seen, reason: 'Invented' }))).toBe('VERSION')
    const now = (await clusters())[0]!.reviews.find((review) => review.id === id)!
    await decideReview(app.as(admin), id, { seen: now.seen, reason: 'Invented' })
    // The same form of the same admin again, as after a lost answer.
    await decideReview(app.as(admin), id, { seen: now.seen, reason: 'Invented' })
    const refused: unknown = await decideReview(app.as(other), id, { seen: now.seen, reason: 'Abuse' }).catch((error: unknown) => error)
    expect(refused).toMatchObject({ code: 'VERSION' })
    expect(problemDetail(refused as Problem, 'en')).toMatch(/Hidden.*Kavitha/)
    expect(await refusalOf(decideReview(app.as(admin), 999_999, { seen, reason: 'No' }))).toBe('NOT_FOUND')
  })

  test('is shown again by an undo within seconds, and its author gets no message', async () => {
    const seller = await newSeller()
    const authors = []
    for (const minutesAgo of [30, 20, 10]) authors.push(await write(seller, { minutesAgo }))
    const [author, second] = authors as [Viewer, Viewer]
    const { id } = await reviewOf(author)
    const undo = (as = admin, now = new Date()) => undoHideReview(app.as(as, { now }), id)
    const messages = () => app.ctx.db.$count(outbox, eq(outbox.userId, author.id))
    const detailOf = async (act: Promise<void>) => problemDetail((await act.catch((error: unknown) => error)) as Problem, 'en')
    expect(await refusalOf(undo())).toBe('VERSION')
    await hide(author)
    // Another review of the same seller is another decision.
    await hide(second)
    const hidden = await reviewOf(author)
    expect(await detailOf(undo(admin, new Date(Date.now() + (MESSAGE_DELAY_SECONDS + 1) * 1000)))).toContain('It is too late')
    expect(await detailOf(undo(await makeUser(app.ctx, { typeId: 9 })))).toMatch(/“Hidden” \(Kavitha, \d+-/)
    expect(await refusalOf(undo(author))).toBe('ROLE_FORBIDDEN')
    expect([await reviewOf(author), await messages()]).toEqual([hidden, 1])
    for (const _twice of [1, 2]) await undo()
    expect(await reviewOf(author)).toMatchObject({ isHidden: false, hiddenReason: null, stars: 5, comment: 'Very good' })
    expect([await messages(), (await reviewOf(second)).isHidden]).toEqual([0, true])
    const events = app.ctx.db.select().from(auditEvents)
    const trail = await events.where(eq(auditEvents.object, `user:${seller.id}`)).orderBy(auditEvents.id)
    expect(trail.at(-1)).toMatchObject({ event: 'review_shown', actorId: admin.id, details: { review: id, isUndo: true } })
    // A message that is on its way, and another admin's decision, are not taken back.
    await hide(author)
    await app.ctx.db.update(outbox).set({ attempts: 1 }).where(eq(outbox.userId, author.id))
    expect(await detailOf(undo())).toContain('It is too late')
    const { decidedAt, updatedAt } = await reviewOf(author)
    await decideReview(app.as(await makeUser(app.ctx, { typeId: 9, name: 'Kumar' })), id, {
      seen: `${updatedAt.getTime()}.${decidedAt!.getTime()}`,
      reason: null,
    })
    expect(await detailOf(undo())).toMatch(/“Shown again” \(Kumar, \d+-/)
  })

  test('an admin decides neither about a review that they wrote nor about one of themselves', async () => {
    const seller = await newSeller()
    await reviewSeller(app.as(admin), seller.id, { stars: 5, comment: '' }, newAddress())
    const { id } = await reviewOf(admin)
    expect(await refusalOf(decideReview(app.as(admin), id, { seen: '1.0', reason: 'No' }))).toBe('OWN_ROW')

    const former = await newSeller()
    for (let minutesAgo = 1; minutesAgo <= 3; minutesAgo++) await write(former, { minutesAgo })
    await app.ctx.db.update(users).set({ typeId: 9 }).where(eq(users.id, former.id))
    const nowAdmin = { ...former, typeId: 9 }
    const [cluster] = (await listClusters(app.as(nowAdmin))).clusters
    expect(cluster!.reviews.map(({ isOwn }) => isOwn)).toEqual([true, true, true])
    const [review] = cluster!.reviews
    const decision = { seen: review!.seen, reason: 'They praise me too little.' }
    expect(await refusalOf(decideReview(app.as(nowAdmin), review!.id, decision))).toBe('OWN_ROW')
    expect(await refusalOf(decideReview(app.as(admin), review!.id, decision))).toBe('taken')
  })
})

describe('the network of a review', () => {
  test('is a keyed hash, and goes after seven days', async () => {
    const seller = await newSeller()
    await write(seller, { minutesAgo: 10, address: '198.51.100.7' })
    await write(seller, { minutesAgo: 10 })
    const rows = await app.ctx.db.select().from(reviewNetworks)
    expect(rows.map(({ network }) => network.length)).toEqual([16, 16])
    expect(Buffer.concat(rows.map(({ network }) => network)).toString('latin1')).not.toContain('198.51')
    await app.ctx.db
      .update(reviewNetworks)
      .set({ writtenAt: sql`now() - interval '7 days 1 minute'` })
      .where(eq(reviewNetworks.reviewId, rows[0]!.reviewId))
    await sweepReviewNetworks(app.ctx.db)
    expect((await app.ctx.db.select().from(reviewNetworks)).map(({ reviewId }) => reviewId)).toEqual([rows[1]!.reviewId])
    expect(await app.ctx.db.$count(sellerReviews)).toBe(2)
  })

  test('goes with the account, although the review stays; the export says since when it is stored', async () => {
    const author = await write(await newSeller(), { minutesAgo: 10 })
    const { reviewsWritten } = (await exportPerson(app.as(author), author.id)) as { reviewsWritten: object[] }
    expect(reviewsWritten).toMatchObject([{ stars: 5, isHidden: false, hiddenReason: null, networkNotedAt: expect.any(Date) }])
    await forgetPerson(app.as(author), author.id)
    expect(await app.ctx.db.$count(reviewNetworks)).toBe(0)
    expect(await app.ctx.db.$count(sellerReviews)).toBe(1)
  })
})
