import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import { makeAddress } from '#src/addresses/makers.server.ts'
import type { Ctx, Viewer } from '#src/kit/context.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { Problem } from '#src/kit/base/problem.ts'
import { makeListing } from '#src/listings/makers.server.ts'
import { listings } from '#src/listings/tables.ts'
import { wordColumns } from '#src/listings/write/write-listing.server.ts'
import { meetingOf } from '#tools/test-kit/signal.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { refusalOf } from '#tools/test-kit/test-people.ts'
import { makeSecondLook } from './makers.server.ts'
import { decideSecondLook, noteChangedWords } from './second-looks.server.ts'
import { secondLooks } from './tables.ts'

const ROUNDS = 40

let market: TestMarket
let admins: Viewer[]
let sellerId: number
let pickupAddressId: number

shareMarket((opened) => (market = opened))
beforeAll(async () => {
  admins = [await makeUser(market.ctx, { typeId: 9 }), await makeUser(market.ctx, { typeId: 9 })]
  sellerId = (await makeUser(market.ctx, { typeId: 2 })).id
  pickupAddressId = await makeAddress(market.ctx, sellerId)
})

type Act = 'pass' | 'revert'
type Decide = (ctx: Ctx, id: number, act: Act, version: number) => Promise<unknown>

const decide: Decide = (ctx, id, act, version) =>
  decideSecondLook(ctx, id, act === 'pass' ? { act, version } : { act, comment: 'Why.', version })

/** Race control: read, then write what was read, without a lock; the other act comes in between. */
const naive =
  (other: () => Promise<unknown>): Decide =>
  async (ctx, id, act, version) => {
    const [listing] = await ctx.db.select().from(listings).where(eq(listings.id, id))
    const [passed] = await ctx.db.select().from(secondLooks).where(eq(secondLooks.listingId, id))
    if (!passed || listing!.version !== version) throw new Problem('VERSION')
    await other()
    if (act === 'revert')
      await ctx.db
        .update(listings)
        .set({ name: passed.name, version: version + 1 })
        .where(eq(listings.id, id))
    await ctx.db.delete(secondLooks).where(eq(secondLooks.listingId, id))
  }

const changed = async () => {
  const id = await makeListing(market.ctx, { sellerId, pickupAddressId, name: 'Passed' })
  await makeSecondLook(market.ctx, id, { name: 'Seen' })
  return id
}

/** Writes as the edit form does. */
const editWords = (id: number, name: string) =>
  inTransaction(market.ctx, async (ctx) => {
    const [row] = await ctx.db.select().from(listings).where(eq(listings.id, id)).for('no key update')
    const after = { ...row!, name }
    await ctx.db
      .update(listings)
      .set({ ...wordColumns(after), version: row!.version + 1 })
      .where(eq(listings.id, id))
    await noteChangedWords(ctx, row!, { ...after, isStillPassed: true })
  })

describe('the seller changes the words again while an admin decides', () => {
  /** Returns the listing's words, and whether they wait for a second look. */
  async function editWhileDeciding(decideDuring: (edit: () => Promise<unknown>) => Decide, act: Act) {
    const id = await changed()
    await decideDuring(() => editWords(id, 'Unseen'))(market.as(admins[0]!), id, act, 2)
    const [listing] = await market.ctx.db.select().from(listings).where(eq(listings.id, id))
    const [look] = await market.ctx.db.select().from(secondLooks).where(eq(secondLooks.listingId, id))
    return { name: listing!.name, waits: look !== undefined }
  }

  test('words that the admin has not seen still wait, beside the passed words', async () => {
    const atOnce =
      (edit: () => Promise<unknown>): Decide =>
      (...of) =>
        Promise.all([edit(), refusalOf(decide(...of))])
    for (let round = 0; round < ROUNDS; round++)
      expect(await editWhileDeciding(atOnce, round % 2 === 0 ? 'pass' : 'revert')).toEqual({ name: 'Unseen', waits: true })
  })

  test('control: reading and then writing publishes words that no admin has seen, or loses them', async () => {
    expect(await editWhileDeciding(naive, 'pass')).toEqual({ name: 'Unseen', waits: false })
    expect(await editWhileDeciding(naive, 'revert')).toEqual({ name: 'Passed', waits: false })
  })
})

describe('two admins decide differently at once', () => {
  /** The number of accepted decisions. */
  async function both(decideOn: Decide): Promise<number> {
    const id = await changed()
    const ends = await Promise.all([
      refusalOf(decideOn(market.as(admins[0]!), id, 'pass', 2)),
      refusalOf(decideOn(market.as(admins[1]!), id, 'revert', 2)),
    ])
    return ends.filter((end) => end === 'taken').length
  }

  test('one decision counts', async () => {
    for (let round = 0; round < ROUNDS; round++) expect(await both(decide)).toBe(1)
  })

  test('control: reading and then writing accepts a second decision', async () => {
    expect(await both(naive(meetingOf(2)))).toBe(2)
  })
})
