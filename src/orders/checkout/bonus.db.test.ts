import fc from 'fast-check'
import { inArray, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import { newReferralCode } from '#src/accounts/referral-codes.server.ts'
import { users } from '#src/accounts/tables.ts'
import { makeListing } from '#src/listings/makers.server.ts'
import { often } from '../testing/often.ts'
import { openTestMarket, type TestMarket } from '../testing/test-market.ts'
import { bonusOf, makeOrder } from './makers.server.ts'
import { orderGroups, orders } from './tables.ts'

const HISTORIES = often(500, 5000)
/** Written to the database together. */
const AT_ONCE = 50

let market: TestMarket
let listingId: number
let sellerId: number
beforeAll(async () => {
  market = await openTestMarket()
  sellerId = (await makeUser(market.ctx, { typeId: 2 })).id
  listingId = await makeListing(market.ctx, { sellerId })
})
afterAll(() => market?.close())

/** Who came by whom, and what was ordered with whose code; people are numbers from 0. */
interface History {
  broughtBy: (number | null)[]
  orders: { buyer: number; code: number | null; status: number }[]
}

/** Registered one after the other, so each can only come by somebody before; orders go every which way, one's own code too. */
const histories = fc.integer({ min: 2, max: 7 }).chain((people) =>
  fc.record<History>({
    broughtBy: fc
      .tuple(
        ...Array.from({ length: people }, (_, n) =>
          n === 0 ? fc.constant(null) : fc.option(fc.nat({ max: n - 1 }), { freq: 3, nil: null }),
        ),
      )
      .map((them) => [...them]),
    orders: fc.array(
      fc.record({
        buyer: fc.nat({ max: people - 1 }),
        code: fc.option(fc.nat({ max: people - 1 }), { freq: 5, nil: null }),
        status: fc.constantFrom(1, 5, 6, 6, 6, 100, 101, 102),
      }),
      { maxLength: 12 },
    ),
  }),
)

/** Another way to the same figure: who can be reached from whom by codes, as a matrix; a code that comes back counts for nothing. */
function recount({ broughtBy, orders }: History): number[] {
  const people = broughtBy.map((_, n) => n)
  const gifts = [
    ...people.flatMap((to) => (broughtBy[to] === null ? [] : [{ from: broughtBy[to]!, to, worth: 25 }])),
    ...orders.flatMap(({ buyer, code, status }) => (code === null || status !== 6 ? [] : [{ from: code, to: buyer, worth: 150 }])),
  ]
  const reaches = people.map((a) => people.map((b) => a === b || gifts.some(({ from, to }) => from === a && to === b)))
  for (const by of people) for (const a of people) for (const b of people) reaches[a]![b] ||= reaches[a]![by]! && reaches[by]![b]!
  return people.map((person) => {
    const sum = gifts.filter(({ from, to }) => from === person && !reaches[to]![person]).reduce((all, { worth }) => all + worth, 0)
    return sum > 5000 ? 5000 : sum
  })
}

/** Written as rows: the ways to some of these are shut at the doors. Answers the people's ids. */
async function write(all: History[]): Promise<number[][]> {
  const { db } = market.ctx
  const people = all.flatMap(({ broughtBy }) => broughtBy)
  const made = await db
    .insert(users)
    .values(
      people.map(() => ({
        phone: `+917${String(nextPhone++).padStart(9, '0')}`,
        name: 'x',
        typeId: 1,
        passwordHash: '-',
        referralCode: newReferralCode(),
      })),
    )
    .returning({ id: users.id })
  let at = 0
  const ids = all.map(({ broughtBy }) => broughtBy.map(() => made[at++]!.id))
  const came = all.flatMap(({ broughtBy }, n) => broughtBy.flatMap((by, who) => (by === null ? [] : [[ids[n]![who]!, ids[n]![by]!]])))
  await db.execute(sql`
    update users u set referred_by_id = c.by_id
    from (select (v->>0)::bigint as id, (v->>1)::bigint as by_id from jsonb_array_elements(${JSON.stringify(came)}::jsonb) v) c
    where u.id = c.id`)
  const rows = all.flatMap(({ orders }, n) =>
    orders.map((order) => ({ ...order, buyer: ids[n]![order.buyer]!, code: order.code === null ? null : ids[n]![order.code]! })),
  )
  if (rows.length > 0) {
    const [group] = await db
      .insert(orderGroups)
      .values({ buyerId: rows[0]!.buyer, addressId: 1, code: '' })
      .returning({ id: orderGroups.id })
    const place = { name: '', phone: '', address1: '', address2: '', pincode: '638701', taluk: '', district: '', state: '' }
    const animal = {
      name: '',
      nameEn: null,
      description: '',
      descriptionEn: null,
      code: '',
      categoryId: 1,
      breedId: null,
      ageId: null,
      genderId: null,
      weightKg: 0,
      photoKey: null,
    }
    await db.insert(orders).values(
      rows.map(({ buyer, code, status }) => {
        const id = nextOrder++
        return {
          id,
          orderNo: `T-${id}`,
          groupId: group!.id,
          buyerId: buyer,
          sellerId,
          listingId,
          count: 1,
          originalPrice: 10_000n,
          unitPrice: 10_000n,
          discount: 0n,
          referrerId: code,
          commissionPercent: 5,
          status,
          animal,
          pickup: place,
          delivery: place,
          handoverSealed: Buffer.from(''),
          deliveredOn: status === 6 ? '2026-11-20' : null,
        }
      }),
    )
  }
  return ids
}
let nextPhone = 100_000_000
let nextOrder = 1_000_000

describe('the bonus of a code', () => {
  test('is what an independent recount of any history says', async () => {
    let rings = 0
    for (let done = 0; done < HISTORIES; done += AT_ONCE) {
      const some = fc.sample(histories, { numRuns: AT_ONCE, seed: 1_000 + done })
      const ids = await write(some)
      for (const [n, history] of some.entries()) {
        const expected = recount(history)
        const found = []
        for (const id of ids[n]!) found.push(await bonusOf(market.ctx, id))
        expect(found, JSON.stringify(history)).toEqual(expected)
        const naive = history.orders.filter(({ code, status }) => code !== null && status === 6).length * 150
        if (expected.reduce((sum, each) => sum + each, 0) < naive) rings++
      }
    }
    // Not a test of nothing: many of these histories do have rings.
    expect(rings).toBeGreaterThan(HISTORIES / 10)
  }, 300_000)

  test('of two who use each other’s is nothing, and one’s own brings nothing', async () => {
    const [[a, b, c]] = (await write([
      {
        broughtBy: [null, 0, null],
        orders: [
          { buyer: 0, code: 1, status: 6 },
          { buyer: 2, code: 2, status: 6 },
        ],
      },
    ])) as [number[]]
    expect([await bonusOf(market.ctx, a!), await bonusOf(market.ctx, b!), await bonusOf(market.ctx, c!)]).toEqual([0, 0, 0])
  })

  test('never passes ₹5,000, however many come', async () => {
    const [[farmer]] = (await write([{ broughtBy: [null, ...Array.from({ length: 1000 }, () => 0)], orders: [] }])) as [number[]]
    expect(await bonusOf(market.ctx, farmer!)).toBe(5000)
  })

  test('comes with the delivery of an order that was placed with it, and not before', async () => {
    const friend = await makeUser(market.ctx, { typeId: 1 })
    const [{ code } = { code: '' }] = await market.ctx.db
      .select({ code: users.referralCode })
      .from(users)
      .where(inArray(users.id, [friend.id]))
    const buyer = await makeUser(market.ctx, { typeId: 1 })
    // The first order's discount comes before the code's.
    await makeOrder(market.ctx, { status: 6, buyer })
    await makeOrder(market.ctx, { status: 5, buyer, code })
    expect(await bonusOf(market.ctx, friend.id)).toBe(0)
    await market.ctx.db.execute(
      sql`update orders set status = 6, delivered_on = '2026-11-20' where buyer_id = ${buyer.id}::bigint and status = 5`,
    )
    expect(await bonusOf(market.ctx, friend.id)).toBe(150)
  })
})
