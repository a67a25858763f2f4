import { randomBytes } from 'node:crypto'
import { and, eq, sql } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import { makeAddress } from '#src/addresses/makers.server.ts'
import type { Ctx, Viewer } from '#src/kit/context.ts'
import { outbox } from '#src/kit/db/tables.ts'
import { startOutbox } from '#src/kit/messages/outbox.server.ts'
import { Problem } from '#src/kit/base/problem.ts'
import { makeListing, makePhoto } from '#src/listings/makers.server.ts'
import { listings } from '#src/listings/tables.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { refusalOf } from '#tools/test-kit/test-people.ts'
import { seenMark } from './seen-mark.ts'
import { verifications, freshVerdicts } from './tables.ts'
import { undoVerdict } from './undo-verdict.server.ts'
import { verifyListing } from './verify-listing.server.ts'

const ROUNDS = 30

let market: TestMarket
let admin: Viewer
shareMarket((opened) => (market = opened))
beforeAll(async () => {
  admin = await makeUser(market.ctx, { typeId: 9 })
})

/** Returns how the undo and the other act ended. */
type Undo = (ctx: Ctx, listingId: number, other: () => Promise<unknown>) => Promise<unknown[]>

const atOnce: Undo = (ctx, listingId, other) => Promise.all([refusalOf(undoVerdict(ctx, listingId)), other()])

/** Race control: check that the message waits, then undo the verdict without a lock; the other act comes in between. */
const naive: Undo = async (ctx, listingId, other) => {
  const [fresh] = await ctx.db.select().from(freshVerdicts).where(eq(freshVerdicts.listingId, listingId))
  const waits = await ctx.db.$count(outbox, and(eq(outbox.id, fresh!.messageId!), eq(outbox.attempts, 0)))
  if (waits === 0) throw new Problem('LISTING_STEP')
  const otherEnd = await other()
  await ctx.db.delete(outbox).where(eq(outbox.id, fresh!.messageId!))
  await ctx.db.update(listings).set({ state: 'pending' }).where(eq(listings.id, listingId))
  await ctx.db.delete(verifications).where(eq(verifications.id, fresh!.verificationId))
  return ['taken', otherEnd]
}

/** A verdict whose message is due now, an admin who undoes it, and a worker who sends it. */
async function undoWhileSending(undo: Undo) {
  const sent: string[] = []
  const { db, log, vault, publicOrigin: origin } = market.ctx
  const sms = { send: async ({ recipient }: { recipient: string }) => void sent.push(recipient), isStandIn: true as const }
  const worker = startOutbox({
    db,
    log,
    vault,
    origin,
    gateways: { sms, email: { send: async () => {} }, push: { send: async () => {} } },
    isManual: true,
  })
  const seller = await makeUser(market.ctx, { typeId: 2 })
  const photo = { ...makePhoto(), sha256: randomBytes(32).toString('hex'), dhash: randomBytes(8).toString('hex') }
  const facts = { sellerId: seller.id, pickupAddressId: await makeAddress(market.ctx, seller.id), state: 'pending' as const }
  const id = await makeListing(market.ctx, facts, [photo])
  await verifyListing(market.as(admin), id, { passed: true, comment: 'Photos and facts agree.' })
  await market.ctx.db
    .update(outbox)
    .set({ dueAt: sql`now() - interval '1 second'` })
    .where(eq(outbox.recipient, seller.phone))
  const [end] = await undo(market.as(admin), id, () => worker.look('sms'))
  await worker.look('sms')
  await worker.stop()
  const [row] = await market.ctx.db.select().from(listings).where(eq(listings.id, id))
  return { undone: end === 'taken', state: row!.state, isSent: sent.includes(seller.phone) }
}

test('a verdict that is undone while its message is due is either undone or sent, never both', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const { undone, state, isSent } = await undoWhileSending(atOnce)
    expect({ state, isSent }).toEqual({ state: undone ? 'pending' : 'passed', isSent: !undone })
  }
})

test('control: checking first and undoing afterwards tells a seller about an undone verdict', async () => {
  expect(await undoWhileSending(naive)).toEqual({ undone: true, state: 'pending', isSent: true })
})

/** One admin undoes their Fail while another one, who sees it, passes the listing. Returns how many are taken. */
async function undoWhileDeciding(undo: Undo) {
  const seller = await makeUser(market.ctx, { typeId: 2 })
  const other = await makeUser(market.ctx, { typeId: 9 })
  const pickupAddressId = await makeAddress(market.ctx, seller.id)
  const id = await makeListing(market.ctx, { sellerId: seller.id, pickupAddressId, state: 'pending' })
  await verifyListing(market.as(admin), id, { passed: false, comment: 'Too dark.' })
  const [verdict] = await market.ctx.db.select().from(verifications).where(eq(verifications.listingId, id))
  const seen = seenMark({ version: 1, lastVerdictId: verdict!.id })
  const pass = () => refusalOf(verifyListing(market.as(other), id, { passed: true, comment: 'Bright enough.', seen }))
  const both = await undo(market.as(admin), id, pass)
  const [row] = await market.ctx.db.select().from(listings).where(eq(listings.id, id))
  return { taken: both.filter((end) => end === 'taken').length, state: row!.state }
}

test('of an undo and another admin’s verdict at once one is taken', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const { taken, state } = await undoWhileDeciding(atOnce)
    expect(taken).toBe(1)
    expect(['pending', 'passed']).toContain(state)
  }
})

test('control: an undo without a lock takes a passed listing off the market', async () => {
  expect(await undoWhileDeciding(naive)).toEqual({ taken: 2, state: 'pending' })
})
