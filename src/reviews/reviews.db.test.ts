import { eq } from 'drizzle-orm'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { beforeAll, describe, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import { users } from '#src/accounts/tables.ts'
import type { Viewer } from '#src/kit/context.ts'
import { Problem } from '#src/kit/base/problem.ts'
import { m } from '#src/paraglide/messages.js'
import { shareTestApp, type TestApp } from '#tools/test-kit/test-app.ts'
import { recordContact } from '#src/listings/contacts/contacts.server.ts'
import { makeListing } from '#src/listings/makers.server.ts'
import { getProductWithRelated, revealContact } from '#src/listings/queries.server.ts'
import { codeOf } from '#tools/test-kit/code-of.ts'
import { makePurchase, makeReview } from './makers.server.ts'
import { sellerReviews } from './tables.ts'
import { ReviewList } from './reviews.tsx'
import { answerReview, findOwnReview, findOwnReviewOf, reviewSeller } from './reviews.server.ts'
import { getSeller } from './seller.server.ts'

const ADDRESS = '203.0.113.9'

let app: TestApp
let admin: Viewer
shareTestApp((opened) => (app = opened))
beforeAll(async () => {
  admin = await makeUser(app.ctx, { typeId: 9 })
})

const newSeller = () => makeUser(app.ctx, { typeId: 2, name: 'Murugesan' })
const newBuyer = (name = 'Selvi Ammal') => makeUser(app.ctx, { name })
const newCustomer = async (seller: Viewer, name?: string) => {
  const buyer = await newBuyer(name)
  await makePurchase(app.ctx, { sellerId: seller.id, buyerId: buyer.id })
  return buyer
}
const rate = (as: Viewer | null, json: unknown, language = 'en') =>
  app.call('/api/v1/sellerrating', { method: 'POST', as, csrf: true, json, language })
const codeFrom = (error: unknown) => {
  if (error instanceof Problem) return error.code
  throw error
}
const rows = (sellerId: number) => app.ctx.db.select().from(sellerReviews).where(eq(sellerReviews.sellerId, sellerId))

describe('POST sellerrating', () => {
  test('stores one review per person, and a second one replaces it', async () => {
    const seller = await newSeller()
    const buyer = await newCustomer(seller)
    const first = { reviewrating: 2, reviewcomment: 'Came late.', seller: seller.id, postedby: buyer.id, createon: '1999-01-01' }
    expect(await (await rate(buyer, first)).json()).toEqual({ rows: 1 })
    expect(await (await rate(buyer, { ...first, reviewrating: 5, reviewcomment: ' Came back.\r\nGood. ' })).json()).toEqual({ rows: 1 })
    const [review, ...more] = await rows(seller.id)
    expect(more).toEqual([])
    expect(review).toMatchObject({ stars: 5, comment: 'Came back.\nGood.', reviewerId: buyer.id })
    expect(review!.createdAt.getFullYear()).toBeGreaterThan(1999)
  })

  test.each<[string, Record<string, unknown>]>([
    ['422 VALIDATION reviewrating', {}],
    ['422 VALIDATION reviewrating', { reviewrating: 0, reviewcomment: '' }],
    ['422 VALIDATION reviewrating', { reviewrating: null, reviewcomment: '  ' }],
    ['422 VALIDATION reviewrating', { reviewrating: 6, reviewcomment: 'x' }],
    ['422 VALIDATION reviewrating', { reviewrating: -1, reviewcomment: 'x' }],
    ['422 VALIDATION reviewrating', { reviewrating: 4.5 }],
    ['422 VALIDATION reviewrating', { reviewrating: '5' }],
    ['422 VALIDATION reviewcomment', { reviewrating: 5, reviewcomment: 'ம'.repeat(1001) }],
    ['422 VALIDATION reviewcomment', { reviewrating: 5, reviewcomment: ['x'] }],
    ['422 VALIDATION stars', { reviewrating: 5, stars: 5 }],
    ['403 IDENTITY_MISMATCH', { reviewrating: 5, postedby: 1 }],
  ])('answers %s for %j and writes nothing', async (expected, body) => {
    const [seller, buyer] = [await newSeller(), await newBuyer()]
    expect(await codeOf(await rate(buyer, { seller: seller.id, ...body }))).toBe(expected)
    expect(await rows(seller.id)).toEqual([])
  })

  test('reports missing input in the words of the specification', async () => {
    const [seller, buyer] = [await newSeller(), await newBuyer()]
    const { fields } = (await (await rate(buyer, { seller: seller.id, reviewrating: 0 })).json()) as { fields: { message: string }[] }
    expect(fields[0]!.message).toBe('Please add Review rating or Review comments if you want to give 0 rating for this seller before save.')
  })

  test('is refused for oneself, for a person who does not sell, and for a deactivated one', async () => {
    const seller = await newSeller()
    expect(await codeOf(await rate(seller, { seller: seller.id, reviewrating: 5 }))).toBe('409 OWN_SELLER')
    const buyer = await newBuyer()
    const gone = await makeUser(app.ctx, { typeId: 2, isActive: false })
    for (const id of [(await newBuyer()).id, admin.id, gone.id, 999_999])
      expect(await codeOf(await rate(buyer, { seller: id, reviewrating: 5 }))).toBe('404 NOT_FOUND')
    expect(await codeOf(await rate(null, { seller: seller.id, reviewrating: 5 }))).toBe('401 AUTH_REQUIRED')
  })

  test('is open to everybody who is logged in, on the first day, without a purchase or a contact', async () => {
    const seller = await newSeller()
    for (const typeId of [1, 2, 3, 4, 5, 9]) {
      const person = await makeUser(app.ctx, { typeId })
      expect(await (await rate(person, { seller: seller.id, reviewrating: 4 })).json()).toEqual({ rows: 1 })
    }
    expect(await getSeller(app.ctx, seller.id)).toMatchObject({ stars: 4, ratings: 6 })
  })

  test('is limited to five a day', async () => {
    const buyer = await newBuyer()
    const another = async () => rate(buyer, { seller: (await newSeller()).id, reviewrating: 4 })
    for (let n = 0; n < 5; n++) expect((await another()).status).toBe(200)
    expect(await codeOf(await another())).toBe('429 RATE_LIMITED')
  })
})

describe("a seller's average", () => {
  test('counts only reviews with stars, and equals a recount after every change', async () => {
    const seller = await newSeller()
    const people = await Promise.all(Array.from({ length: 12 }, () => newCustomer(seller)))
    let seed = 7
    const dice = (n: number) => (seed = (seed * 48_271) % 2_147_483_647) % n
    const starsBy = new Map<number, number | null>()
    for (let n = 0; n < 60; n++) {
      const person = people[dice(people.length)]!
      const stars = ([null, 1, 2, 3, 4, 5] as const)[dice(6)]!
      await reviewSeller(app.as(person), seller.id, { stars, comment: stars === null ? 'Only words' : '' }, ADDRESS)
      starsBy.set(person.id, stars)
      const given = [...starsBy.values()].filter((each) => each !== null)
      const shown = await getSeller(app.ctx, seller.id)
      const average = given.length === 0 ? null : Math.round((given.reduce((sum, each) => sum + each, 0) / given.length) * 100) / 100
      expect([shown.stars, shown.ratings, shown.reviewCount]).toEqual([average, given.length, starsBy.size])
    }
  })

  test("reviews show first names only, and the viewer's own review can be edited", async () => {
    const seller = await newSeller()
    const buyer = await newCustomer(seller, 'Selvi Ramasamy')
    const animal = await makeListing(app.ctx, { sellerId: seller.id })
    await reviewSeller(app.as(buyer), seller.id, { stars: null, comment: 'Honest.' }, ADDRESS)
    expect((await getSeller(app.ctx, seller.id)).reviews).toMatchObject([
      { author: 'Selvi', stars: null, comment: 'Honest.', answer: null },
    ])
    const own = { stars: null, comment: 'Honest.', hiddenReason: null }
    expect(await findOwnReview(app.as(buyer), seller.id)).toEqual(own)
    expect(await findOwnReviewOf(app.as(buyer), animal)).toEqual(own)
    for (const viewer of [await newBuyer(), null]) {
      expect(await findOwnReview(app.as(viewer), seller.id)).toBeNull()
      expect(await findOwnReviewOf(app.as(viewer), animal)).toBeNull()
    }
  })

  test('GET sellerrating names seller and author, and marks who bought from the seller and who spoke to them', async () => {
    const seller = await newSeller()
    const animal = await makeListing(app.ctx, { sellerId: seller.id })
    const others = await makeListing(app.ctx, { sellerId: (await newSeller()).id })
    const [bought, spoke, stranger] = [await newCustomer(seller), await newBuyer(), await newBuyer()]
    for (const [person, listing] of [
      [spoke, animal],
      [stranger, others],
    ] as const) {
      await revealContact(app.as(person), listing)
      await recordContact(app.as(person), listing, 'whatsapp')
    }
    for (const person of [bought, spoke, stranger])
      await rate(person, { seller: seller.id, postedby: person.id, reviewrating: 5, reviewcomment: 'Good.' })
    const answer = (await (await app.call(`/api/v1/sellerrating/seller=${seller.id}`)).json()) as object[]
    const common = { seller: seller.id, reviewrating: 5, reviewcomment: 'Good.', createon: expect.any(String) }
    expect(answer).toMatchObject([
      { ...common, postedby: stranger.id, bought_here: false, spoke_here: false },
      { ...common, postedby: spoke.id, bought_here: false, spoke_here: true },
      { ...common, postedby: bought.id, bought_here: true, spoke_here: false },
    ])
  })
})

describe("the seller's answer", () => {
  test('is given once, by the reviewed seller only', async () => {
    const [seller, buyer, other] = [await newSeller(), await newBuyer(), await newSeller()]
    await makeReview(app.ctx, { sellerId: seller.id, reviewerId: buyer.id, stars: 1, comment: 'Late.' })
    const { id } = (await rows(seller.id))[0]!
    for (const stranger of [other, buyer, admin]) expect(await answerReview(app.as(stranger), id, 'No').catch(codeFrom)).toBe('NOT_FOUND')
    expect(await answerReview(app.as(null), id, 'No').catch(codeFrom)).toBe('AUTH_REQUIRED')
    await answerReview(app.as(seller), id, 'The road was closed.')
    expect(await answerReview(app.as(seller), id, 'And again').catch(codeFrom)).toBe('VALIDATION')
    expect((await getSeller(app.ctx, seller.id)).reviews[0]!.answer).toBe('The road was closed.')
  })

  test('stays when the review is changed', async () => {
    const seller = await newSeller()
    const buyer = await newCustomer(seller)
    await reviewSeller(app.as(buyer), seller.id, { stars: 1, comment: 'Late.' }, ADDRESS)
    const { id } = (await rows(seller.id))[0]!
    await answerReview(app.as(seller), id, 'Sorry.')
    await reviewSeller(app.as(buyer), seller.id, { stars: 4, comment: 'He called me.' }, ADDRESS)
    expect((await rows(seller.id))[0]).toMatchObject({ id, stars: 4, comment: 'He called me.', answer: 'Sorry.' })
  })

  test('belongs to the text that it answered: a changed review may be answered once more', async () => {
    const seller = await newSeller()
    const buyer = await newCustomer(seller)
    const shown = async () => {
      const [onSeller] = (await getSeller(app.ctx, seller.id)).reviews
      const { reviews } = await getProductWithRelated(app.ctx, animal, null)
      expect(reviews[0]).toEqual(onSeller)
      return [onSeller!.answer, onSeller!.isChangedSince]
    }
    const animal = await makeListing(app.ctx, { sellerId: seller.id })
    const good = { stars: 5, comment: 'A good goat.' } as const
    await reviewSeller(app.as(buyer), seller.id, good, ADDRESS)
    expect(await shown()).toEqual([null, false])
    const { id } = (await rows(seller.id))[0]!
    await answerReview(app.as(seller), id, 'Thank you!')
    expect(await shown()).toEqual(['Thank you!', false])
    // Saving it unchanged keeps it the same review.
    await reviewSeller(app.as(buyer, { now: new Date(app.ctx.now.getTime() + 60_000) }), seller.id, good, ADDRESS)
    expect(await shown()).toEqual(['Thank you!', false])
    expect(await answerReview(app.as(seller), id, 'Thank you again!').catch(codeFrom)).toBe('VALIDATION')
    // Also by a request that began before the answer was stored.
    await reviewSeller(
      app.as(buyer, { now: new Date(app.ctx.now.getTime() - 60_000) }),
      seller.id,
      { stars: 1, comment: 'He cheats.' },
      ADDRESS,
    )
    expect(await shown()).toEqual(['Thank you!', true])
    await answerReview(app.as(seller), id, 'That is not so.')
    expect(await shown()).toEqual(['That is not so.', false])
    expect(await answerReview(app.as(seller), id, 'And again').catch(codeFrom)).toBe('VALIDATION')
    await reviewSeller(app.as(buyer), seller.id, { stars: null, comment: 'He cheats.' }, ADDRESS)
    expect(await shown()).toEqual(['That is not so.', true])
  })

  test('to an earlier text is marked on the page with agent and owner, and the seller gets the form again', () => {
    const review = {
      id: 1,
      author: 'Selvi',
      stars: 1,
      comment: 'He cheats.',
      day: '21-Nov-2026',
      isChangedSince: false,
      isBoughtHere: false,
      hasSpoken: false,
      listed: null,
    }
    const draw = (changes: object) =>
      renderToStaticMarkup(createElement(ReviewList, { reviews: [{ ...review, answer: null, ...changes }], answering: () => 'FORM' }))
    const says = m.review_changed_since()
    const shows = (html: string) => [html.includes('Thank you!'), html.includes(says), html.includes('FORM')]
    expect(shows(draw({}))).toEqual([false, false, true])
    expect(shows(draw({ answer: 'Thank you!' }))).toEqual([true, false, false])
    expect(shows(draw({ answer: 'Thank you!', isChangedSince: true }))).toEqual([true, true, true])
    const listed = { agent: 'Anbu', owner: 'Raman' }
    expect([draw({}), draw({ listed })].map((html) => html.includes(m.product_listed_for(listed)))).toEqual([false, true])
  })

  test('a review is marked by the nearest thing that its author had to do with the seller', () => {
    const review = { id: 1, author: 'Selvi', stars: 5, comment: '', day: '21-Nov-2026', answer: null, isChangedSince: false, listed: null }
    const draw = (isBoughtHere: boolean, hasSpoken: boolean) =>
      renderToStaticMarkup(createElement(ReviewList, { reviews: [{ ...review, isBoughtHere, hasSpoken }] }))
    const marks = (html: string) => [m.review_bought(), m.review_spoke()].filter((text) => html.includes(text))
    expect(marks(draw(true, true))).toEqual([m.review_bought()])
    expect(marks(draw(false, true))).toEqual([m.review_spoke()])
    expect(marks(draw(false, false))).toEqual([])
  })

  test('disappears with the reviews when the seller is deactivated', async () => {
    const seller = await newSeller()
    await app.ctx.db.update(users).set({ isActive: false }).where(eq(users.id, seller.id))
    expect(await getSeller(app.ctx, seller.id).catch(codeFrom)).toBe('NOT_FOUND')
  })
})
