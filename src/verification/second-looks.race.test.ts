import { eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import { makeAddress } from '#src/addresses/makers.server.ts'
import type { Ctx, Viewer } from '#src/kit/context.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { Problem } from '#src/kit/base/problem.ts'
import { makeListing } from '#src/listings/makers.server.ts'
import { listings } from '#src/listings/tables.ts'
import { wordColumns } from '#src/listings/write/write-listing.server.ts'
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

type Decide = (ctx: Ctx, id: number, act: 'pass' | 'revert', version: number) => Promise<void>

const decide: Decide = (ctx, id, act, version) =>
  decideSecondLook(ctx, id, act === 'pass' ? { act, version } : { act, comment: 'Why.', version })

/** Race control: read, then write what was read, without a lock. */
const naive: Decide = async (ctx, id, act, version) => {
  const [listing] = await ctx.db.select().from(listings).where(eq(listings.id, id))
  const [passed] = await ctx.db.select().from(secondLooks).where(eq(secondLooks.listingId, id))
  if (!passed || listing!.version !== version) throw new Problem('VERSION')
  // The pause stands for the delays of a busy machine.
  await ctx.db.execute(sql`select pg_sleep(random() * 0.01)`)
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
  /** Counts listings that show words that nobody passed and that wait for no second look, or that lost the seller's words. */
  async function editWhileDeciding(decideOn: Decide): Promise<number> {
    let wrong = 0
    for (let round = 0; round < ROUNDS; round++) {
      const id = await changed()
      const act = round % 2 === 0 ? 'pass' : 'revert'
      await Promise.all([editWords(id, 'Unseen'), refusalOf(decideOn(market.as(admins[0]!), id, act, 2))])
      const [listing] = await market.ctx.db.select().from(listings).where(eq(listings.id, id))
      const [look] = await market.ctx.db.select().from(secondLooks).where(eq(secondLooks.listingId, id))
      if (listing!.name !== 'Unseen' || !look) wrong += 1
    }
    return wrong
  }

  test('words that the admin has not seen still wait, beside the passed words', async () => {
    expect(await editWhileDeciding(decide)).toBe(0)
  })

  test('control: reading and then writing publishes words that no admin has seen', async () => {
    expect(await editWhileDeciding(naive)).toBeGreaterThan(0)
  })
})

describe('two admins decide differently at once', () => {
  /** The highest number of accepted decisions about one listing. */
  async function both(decideOn: Decide): Promise<number> {
    let most = 0
    for (let round = 0; round < ROUNDS; round++) {
      const id = await changed()
      const ends = await Promise.all([
        refusalOf(decideOn(market.as(admins[0]!), id, 'pass', 2)),
        refusalOf(decideOn(market.as(admins[1]!), id, 'revert', 2)),
      ])
      most = Math.max(most, ends.filter((end) => end === 'taken').length)
    }
    return most
  }

  test('one decision counts', async () => {
    expect(await both(decide)).toBe(1)
  })

  test('control: reading and then writing accepts a second decision', async () => {
    expect(await both(naive)).toBe(2)
  })
})
