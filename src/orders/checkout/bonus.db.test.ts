import fc from 'fast-check'
import { eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import { makeAddress } from '#src/addresses/makers.server.ts'
import { newReferralCode } from '#src/accounts/referral-codes.server.ts'
import { users } from '#src/accounts/tables.ts'
import { makeListing } from '#src/listings/makers.server.ts'
import { often } from '#tools/test-kit/often.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { makeCartLine } from '#src/cart/makers.server.ts'
import { bonusOf } from '#src/orders/steps/makers.server.ts'
import { orderGroups, orders } from '../tables.ts'
import { placeOrder } from './place-order.server.ts'

const HISTORIES = often(500, 5000)
/** Batch size of the writes to the database. */
const AT_ONCE = 50

let market: TestMarket
let listingId: number
let sellerId: number
shareMarket((opened) => (market = opened))
beforeAll(async () => {
  sellerId = (await makeUser(market.ctx, { typeId: 2 })).id
  listingId = await makeListing(market.ctx, { sellerId })
})

/** Referrals, and the carts that were confirmed with each code, with the status of each of their orders. People are numbers from 0. */
interface History {
  broughtBy: (number | null)[]
  carts: { buyer: number; code: number | null; statuses: number[] }[]
}

/** People register one after the other, so only earlier people can refer them. Orders may use any code, also the buyer's own. */
const histories = fc.integer({ min: 2, max: 7 }).chain((people) =>
  fc.record<History>({
    broughtBy: fc
      .tuple(
        ...Array.from({ length: people }, (_, n) =>
          n === 0 ? fc.constant(null) : fc.option(fc.nat({ max: n - 1 }), { freq: 3, nil: null }),
        ),
      )
      .map((them) => [...them]),
    carts: fc.array(
      fc.record({
        buyer: fc.nat({ max: people - 1 }),
        code: fc.option(fc.nat({ max: people - 1 }), { freq: 5, nil: null }),
        statuses: fc.array(fc.constantFrom(1, 5, 6, 6, 100, 101, 102), { minLength: 1, maxLength: 3 }),
      }),
      { maxLength: 12 },
    ),
  }),
)

/** Recounts the bonus in another way: a reachability matrix over codes. Members of a cycle count for nothing. */
function recount({ broughtBy, carts }: History): number[] {
  const people = broughtBy.map((_, n) => n)
  const gifts = [
    ...people.flatMap((to) => (broughtBy[to] === null ? [] : [{ from: broughtBy[to]!, to, worth: 25 }])),
    ...carts.flatMap(({ buyer, code, statuses }) =>
      code === null || !statuses.includes(6) ? [] : [{ from: code, to: buyer, worth: 150 }],
    ),
  ]
  const reaches = people.map((a) => people.map((b) => a === b || gifts.some(({ from, to }) => from === a && to === b)))
  for (const by of people) for (const a of people) for (const b of people) reaches[a]![b] ||= reaches[a]![by]! && reaches[by]![b]!
  return people.map((person) => {
    const sum = gifts.filter(({ from, to }) => from === person && !reaches[to]![person]).reduce((all, { worth }) => all + worth, 0)
    return sum > 5000 ? 5000 : sum
  })
}

/** Writes the rows directly, because forms and API refuse some of these histories. Returns the people's ids. */
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
  const carts = all.flatMap(({ carts }, n) =>
    carts.map((cart) => ({ ...cart, buyer: ids[n]![cart.buyer]!, code: cart.code === null ? null : ids[n]![cart.code]! })),
  )
  if (carts.length > 0) {
    const groups = await db
      .insert(orderGroups)
      .values(carts.map(({ buyer }) => ({ buyerId: buyer, addressId: 1, code: '' })))
      .returning({ id: orderGroups.id })
    // The first order of a cart carries its code.
    const rows = carts.flatMap(({ buyer, code, statuses }, n) =>
      statuses.map((status, at) => ({ buyer, code: at === 0 ? code : null, status, groupId: groups[n]!.id })),
    )
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
      rows.map(({ buyer, code, status, groupId }) => {
        const id = nextOrder++
        return {
          id,
          orderNo: `T-${id}`,
          groupId,
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
  test('equals an independent recount of random histories', async () => {
    let rings = 0
    for (let done = 0; done < HISTORIES; done += AT_ONCE) {
      const some = fc.sample(histories, { numRuns: AT_ONCE, seed: 1_000 + done })
      const ids = await write(some)
      for (const [n, history] of some.entries()) {
        const expected = recount(history)
        const found = []
        for (const id of ids[n]!) found.push(await bonusOf(market.ctx, id))
        expect(found, JSON.stringify(history)).toEqual(expected)
        const naive = history.carts.filter(({ code, statuses }) => code !== null && statuses.includes(6)).length * 150
        if (expected.reduce((sum, each) => sum + each, 0) < naive) rings++
      }
    }
    // Guards against an empty test: many of these histories must contain cycles.
    expect(rings).toBeGreaterThan(HISTORIES / 10)
  })

  test('is zero for two people who use each other’s codes, and for a person’s own code', async () => {
    const [[a, b, c]] = (await write([
      {
        broughtBy: [null, 0, null],
        carts: [
          { buyer: 0, code: 1, statuses: [6] },
          { buyer: 2, code: 2, statuses: [6] },
        ],
      },
    ])) as [number[]]
    expect([await bonusOf(market.ctx, a!), await bonusOf(market.ctx, b!), await bonusOf(market.ctx, c!)]).toEqual([0, 0, 0])
  })

  test('is at most ₹5,000, however many people use the code', async () => {
    const [[farmer]] = (await write([{ broughtBy: [null, ...Array.from({ length: 1000 }, () => 0)], carts: [] }])) as [number[]]
    expect(await bonusOf(market.ctx, farmer!)).toBe(5000)
  })

  test('is earned once per cart that carried the code, when any of its orders is delivered', async () => {
    const { ctx } = market
    const friend = await makeUser(ctx, { typeId: 1 })
    const [{ code } = { code: '' }] = await ctx.db.select({ code: users.referralCode }).from(users).where(eq(users.id, friend.id))
    const buyer = await makeUser(ctx, { typeId: 1 })
    const addressId = await makeAddress(ctx, buyer.id)
    const confirmCart = async (lines: number) => {
      const listingId = await makeListing(ctx, { sellerId, stock: 9 })
      for (let n = 0; n < lines; n++)
        await makeCartLine(ctx, { buyerId: buyer.id, listingId: n === 0 ? listingId : await makeListing(ctx, { sellerId }), count: 1 })
      return (await placeOrder(market.as(buyer), { addressId, code })).orders.map(({ id }) => id)
    }
    const end = (id: number, status: number) =>
      ctx.db.execute(
        sql`update orders set status = ${status}, delivered_on = ${status === 6 ? '2026-11-20' : null} where id = ${id}::bigint`,
      )
    // The first-order discount takes precedence, but the cart still carries the code.
    const first = await confirmCart(3)
    expect(await bonusOf(ctx, friend.id)).toBe(0)
    await end(first[0]!, 100)
    expect(await bonusOf(ctx, friend.id)).toBe(0)
    await end(first[2]!, 6)
    expect(await bonusOf(ctx, friend.id)).toBe(150)
    await end(first[1]!, 6)
    expect(await bonusOf(ctx, friend.id)).toBe(150)
    // Each cart that carries the code counts: with its discount, and after the buyer has used up the discount.
    await end((await confirmCart(1))[0]!, 6)
    await end((await confirmCart(1))[0]!, 6)
    await end((await confirmCart(1))[0]!, 6)
    expect(await bonusOf(ctx, friend.id)).toBe(600)
  })
})
