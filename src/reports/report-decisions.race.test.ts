import { eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import type { Ctx, Viewer } from '#src/kit/context.ts'
import { problemDetail } from '#src/kit/problem-text.ts'
import { Problem } from '#src/kit/base/problem.ts'
import { makeListing } from '#src/listings/makers.server.ts'
import { listings } from '#src/listings/tables.ts'
import { often } from '#tools/test-kit/often.ts'
import { sendForm } from '#tools/test-kit/send-form.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { refusalOf } from '#tools/test-kit/test-people.ts'
import { verifyListing } from '#src/verification/verify-listing.server.ts'
import { reports } from './tables.ts'
import { action } from './reports-page.tsx'
import { findReported, leaveReported, report, takeDown, undoTakeDown } from './reports.server.ts'

const CASES = often(30, 150)

let market: TestMarket
let admins: [Viewer, Viewer]
let seller: Viewer
shareMarket((opened) => (market = opened))
beforeAll(async () => {
  admins = [await makeUser(market.ctx, { typeId: 9, name: 'Meena' }), await makeUser(market.ctx, { typeId: 9, name: 'Kumar' })]
  seller = await makeUser(market.ctx, { typeId: 2 })
})

const reportAs = (viewer: Viewer, listingId: number, comment = '') => report(market.as(viewer), { listingId }, { reason: 'wrong', comment })
const reported = async () => {
  const listingId = await makeListing(market.ctx, { sellerId: seller.id })
  await reportAs(await makeUser(market.ctx), listingId)
  return listingId
}
const seenBy = async (admin: Viewer, listingId: number) => (await findReported(market.as(admin), { listingId }))!.seen
const rowsOf = (listingId: number) => market.ctx.db.select().from(reports).where(eq(reports.listingId, listingId)).orderBy(reports.id)

test('of two decisions about one report the first counts; the listing ends as that decision says', async () => {
  for (let n = 0; n < CASES; n++) {
    const id = await reported()
    const seen = await seenBy(admins[0], id)
    const refusals = await Promise.all([
      refusalOf(leaveReported(market.as(admins[0]), { listingId: id }, { note: 'It is right.', seen })),
      refusalOf(takeDown(market.as(admins[1]), id, { note: 'Another animal.', seen })),
    ])
    expect(refusals.toSorted()).toEqual(['VERSION', 'taken'])
    const [row] = await rowsOf(id)
    const [listing] = await market.ctx.db.select().from(listings).where(eq(listings.id, id))
    expect([row!.outcome, listing!.state]).toEqual(refusals[0] === 'taken' ? ['left', 'passed'] : ['taken-down', 'failed'])
  }
})

/** Returns how the undo and the pass ended. */
type Undo = (ctx: Ctx, listingId: number, pass: () => Promise<string>) => Promise<string[]>

/** An admin undoes a take-down while another one passes the listing. Returns how many are taken. */
async function undoWhilePassing(undo: Undo): Promise<number> {
  const id = await reported()
  await takeDown(market.as(admins[0]), id, { note: 'Another animal.' })
  const pass = () => refusalOf(verifyListing(market.as(admins[1]), id, { passed: true, comment: 'It is right.' }))
  const ends = await undo(market.as(admins[0]), id, pass)
  const [row] = await rowsOf(id)
  expect(row!.closedAt === null).toBe(ends[0] === 'taken')
  return ends.filter((end) => end === 'taken').length
}

test('of an undo and another admin’s pass at once one is taken, and the reports are open as it says', async () => {
  const atOnce: Undo = (ctx, id, pass) => Promise.all([refusalOf(undoTakeDown(ctx, id)), pass()])
  for (let n = 0; n < CASES; n++) expect(await undoWhilePassing(atOnce)).toBe(1)
})

test('control: an undo that reads the verdict without a lock opens the reports of a passed listing', async () => {
  const unlocked: Undo = async ({ db }, id, pass) => {
    const [listing] = await db.select().from(listings).where(eq(listings.id, id))
    const passed = await pass()
    if (listing!.state !== 'failed') throw new Problem('LISTING_STEP')
    await db.update(reports).set({ closedAt: null, closedById: null, outcome: null }).where(eq(reports.listingId, id))
    await db.update(listings).set({ state: 'passed' }).where(eq(listings.id, id))
    return ['taken', passed]
  }
  expect(await undoWhilePassing(unlocked)).toBe(2)
})

/** An admin reads the case and leaves it while somebody else reports the same listing. Returns how many reports were closed unread. */
async function closedUnread(leave: (ctx: Ctx, listingId: number, seen: string) => Promise<void>): Promise<number> {
  let unread = 0
  for (let n = 0; n < CASES; n++) {
    const id = await reported()
    const seen = await seenBy(admins[0], id)
    const stranger = await makeUser(market.ctx)
    const decision = async () => {
      // Every third decision surely comes after the report; the others race with it.
      if (n % 3 === 0) await reportAs(stranger, id, 'Stolen.')
      return refusalOf(leave(market.as(admins[0]), id, seen))
    }
    await Promise.all([n % 3 === 0 ? null : reportAs(stranger, id, 'Stolen.'), decision()])
    unread += (await rowsOf(id)).filter(({ comment, closedAt }) => comment === 'Stolen.' && closedAt !== null).length
  }
  return unread
}

test('no decision closes a report that the admin has not read', async () => {
  expect(await closedUnread((ctx, listingId, seen) => leaveReported(ctx, { listingId }, { note: 'Fine.', seen }))).toBe(0)
})

test('control: without the mark of what was seen, unread reports are closed', async () => {
  expect(await closedUnread((ctx, listingId) => leaveReported(ctx, { listingId }, { note: 'Fine.' }))).toBeGreaterThan(0)
})

/** Counts the listings that one admin passed and another took down at the same time. */
async function passedAndTakenDown(markOf: (seen: string) => string | undefined): Promise<number> {
  let both = 0
  for (let n = 0; n < CASES; n++) {
    const id = await reported()
    await market.ctx.db.update(listings).set({ state: 'pending' }).where(eq(listings.id, id))
    const seen = await seenBy(admins[1], id)
    const decisions = await Promise.all([
      refusalOf(verifyListing(market.as(admins[0]), id, { passed: true, comment: 'It is right.', seen: seen.split(' ')[1] })),
      refusalOf(takeDown(market.as(admins[1]), id, { note: 'Another animal.', seen: markOf(seen) })),
    ])
    if (decisions.every((decision) => decision === 'taken')) both += 1
  }
  return both
}

test('no listing that another admin passed meanwhile is taken down', async () => {
  expect(await passedAndTakenDown((seen) => seen)).toBe(0)
})

test('control: without the state of the listing in the mark, it is', async () => {
  expect(await passedAndTakenDown((seen) => seen.split(' ')[0])).toBeGreaterThan(0)
})

test('the refusal says who decided what and when; a changed report is a new state; the own decision sent twice succeeds', async () => {
  const id = await reported()
  const seen = await seenBy(admins[0], id)
  const send = (viewer: Viewer, fields: Record<string, string>) =>
    sendForm(market.ctx, action as never, { viewer, params: {}, fields: { subject: `product-${id}`, seen, ...fields } }).catch(
      (redirected: unknown) => (redirected instanceof Response ? 'taken' : String(redirected)),
    )
  const stranger = await makeUser(market.ctx)
  await reportAs(stranger, id)
  expect(await send(admins[0], { act: 'leave', note: 'Fine.' })).toBe('VERSION')
  const before = await seenBy(admins[0], id)
  await reportAs(stranger, id, 'Stolen.')
  expect(await send(admins[0], { act: 'leave', note: 'Fine.', seen: before })).toBe('VERSION')
  const now = await seenBy(admins[0], id)
  for (const _ of [1, 2]) expect(await send(admins[0], { act: 'leave', note: 'Fine.', seen: now })).toBe('taken')
  const refused = await takeDown(market.as(admins[1]), id, { note: 'Another animal.', seen: now }).catch((error: Problem) => error)
  expect(problemDetail(refused as Problem, 'en')).toMatch(/“Left as it is” \(Meena, \d+-\w+-\d{4}, \d\d:\d\d\)/)
})
