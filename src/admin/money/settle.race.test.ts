import { eq, inArray } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import { invoices, settlements } from '#src/invoices/tables.ts'
import type { Ctx, Viewer } from '#src/kit/context.ts'
import { hashPassword } from '#src/kit/passwords.server.ts'
import { problemDetail } from '#src/kit/problem-text.ts'
import { Problem } from '#src/kit/base/problem.ts'
import { testVault } from '#tools/test-kit/test-ctx.ts'
import { indianDay } from '#src/kit/time-money/dates.ts'
import { rupees } from '#src/kit/time-money/money.ts'
import { makeOrder } from '#src/orders/steps/makers.server.ts'
import { meetingOf } from '#tools/test-kit/signal.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { refusalOf } from '#tools/test-kit/test-people.ts'
import { settleSales, takeSaleBack } from './settle.server.ts'

const ADMINS = 8
const PASSWORD = 'a quiet evening'

let market: TestMarket
let admins: Viewer[]
shareMarket((opened) => (market = opened))
beforeAll(async () => {
  const passwordHash = await hashPassword(testVault, PASSWORD)
  admins = await Promise.all(
    Array.from({ length: ADMINS }, (_, n) => makeUser(market.ctx, { typeId: 9, name: `Admin ${n}`, passwordHash })),
  )
})

interface Sales {
  seller: Viewer
  orderIds: number[]
}
type Settle = (ctx: Ctx, sales: Sales, reference: string) => Promise<void>

const amount = rupees(80_750)

const settle: Settle = (ctx, { seller, orderIds }, reference) =>
  settleSales(ctx, seller.id, {
    sales: orderIds.map((orderId) => ({ orderId, amount, seen: 0 })),
    method: 'bank',
    reference,
    paidOn: indianDay(ctx.now),
    note: '',
    password: undefined,
  })

/** Race control: checks whether the sales are settled, then writes without a lock. All callers pass the check. */
const naive =
  (allHaveChecked: () => Promise<void>): Settle =>
  async (ctx, { orderIds }, reference) => {
    const invoiceIds = await Promise.all(orderIds.map(invoiceOf))
    if ((await ctx.db.$count(settlements, inArray(settlements.invoiceId, invoiceIds))) > 0) throw new Problem('VERSION')
    await allHaveChecked()
    const entry = { amount, method: 'bank', reference, paidOn: indianDay(ctx.now), kind: 'paid', note: '' } as const
    for (const invoiceId of invoiceIds) await ctx.db.insert(settlements).values({ ...entry, invoiceId, byId: ctx.viewer!.id, at: ctx.now })
  }

async function invoiceOf(orderId: number): Promise<number> {
  const rows = await market.ctx.db.select().from(invoices).where(eq(invoices.orderId, orderId))
  return rows.find(({ kind }) => kind === 'commission')!.id
}

/** Every admin pays the same three sales of one seller at once, each with another transfer and half of them in reverse order. */
async function payAtOnce(how: Settle) {
  const seller = await makeUser(market.ctx, { typeId: 2 })
  const orderIds: number[] = []
  for (let n = 0; n < 3; n++) orderIds.push((await makeOrder(market.ctx, { status: 6, seller, admin: admins[0]! })).id)
  const ends = await Promise.all(
    admins.map((admin, n) => {
      const mine = n % 2 === 0 ? orderIds : orderIds.toReversed()
      return refusalOf(how(market.as(admin), { seller, orderIds: mine }, `UTR ${n}`))
    }),
  )
  const entries = await Promise.all(
    orderIds.map(async (orderId) => market.ctx.db.$count(settlements, eq(settlements.invoiceId, await invoiceOf(orderId)))),
  )
  return { paid: ends.filter((end) => end === 'taken').length, entries }
}

test('of concurrent payments for the same sales, one is recorded, and no sale has two entries', async () => {
  for (let round = 0; round < 5; round++) expect(await payAtOnce(settle)).toEqual({ paid: 1, entries: [1, 1, 1] })
})

test('control: checking and then writing without a lock pays each sale once for each admin', async () => {
  expect(await payAtOnce(naive(meetingOf(ADMINS)))).toEqual({ paid: ADMINS, entries: [ADMINS, ADMINS, ADMINS] })
})

async function paidSale() {
  const seller = await makeUser(market.ctx, { typeId: 2 })
  const { id } = await makeOrder(market.ctx, { status: 6, seller, admin: admins[0]! })
  await settle(market.as(admins[0]!), { seller, orderIds: [id] }, 'UTR 1')
  const [entry] = await market.ctx.db
    .select()
    .from(settlements)
    .where(eq(settlements.invoiceId, await invoiceOf(id)))
  return { seller, id, entry: entry! }
}
type PaidSale = Awaited<ReturnType<typeof paidSale>>
type Reverse = (ctx: Ctx, sale: PaidSale, note: string) => Promise<unknown>

const takeBack: Reverse = (ctx, { seller, id, entry }, note) =>
  takeSaleBack(ctx, seller.id, id, { seen: entry.id, note, password: PASSWORD })

/** Race control: compare the last entry, then write without a lock. */
const naiveTakeBack =
  (allHaveCompared: () => Promise<void>): Reverse =>
  async (ctx, { entry }, note) => {
    const { id: _id, ...paid } = entry
    if ((await ctx.db.$count(settlements, eq(settlements.invoiceId, entry.invoiceId))) > 1) throw new Problem('VERSION')
    await allHaveCompared()
    await ctx.db.insert(settlements).values({ ...paid, kind: 'back', amount: 0n, note, byId: ctx.viewer!.id, at: ctx.now })
  }

/** Every admin takes the same payment back at once, half of them with the same note. */
async function takeBackAtOnce(how: Reverse) {
  const sale = await paidSale()
  const ends = await Promise.all(
    admins.map((admin, n) => refusalOf(how(market.as(admin), sale, n % 2 === 0 ? 'Wrong account' : `Wrong: ${n}`))),
  )
  const entries = await market.ctx.db.$count(settlements, eq(settlements.invoiceId, sale.entry.invoiceId))
  return { taken: ends.filter((end) => end === 'taken').length, entries }
}

test('of admins who take one payment back at once, one is recorded, and the others are refused', async () => {
  for (let round = 0; round < 3; round++) expect(await takeBackAtOnce(takeBack)).toEqual({ taken: 1, entries: 2 })
})

test('control: comparing and then writing without a lock takes it back once for each admin', async () => {
  expect(await takeBackAtOnce(naiveTakeBack(meetingOf(ADMINS)))).toEqual({ taken: ADMINS, entries: 1 + ADMINS })
})

test('another amount and a reversal of one entry at once: one is recorded, and the refusal says what, who and when', async () => {
  const sale = await paidSale()
  const less = { orderId: sale.id, amount: rupees(50_000), seen: sale.entry.id }
  const payment = { method: 'bank', reference: 'UTR 2', paidOn: indianDay(market.ctx.now), note: 'A part', password: PASSWORD } as const
  const decisions = [
    settleSales(market.as(admins[0]!), sale.seller.id, { sales: [less], ...payment }),
    takeBack(market.as(admins[1]!), sale, 'Wrong account'),
  ]
  const [paid, back] = await Promise.all(decisions.map((each) => each.then(() => null).catch((error: Problem) => error)))
  const refused = paid ?? back
  expect([paid, back].filter(Boolean)).toHaveLength(1)
  expect(problemDetail(refused as Problem, 'en')).toMatch(/“SN-\d+: .+” \(Admin [01], \d+-\w+-\d{4}, \d\d:\d\d\)/)
})

test('the same payment typed by two admins is recorded once, and the second one hears of the first', async () => {
  const { seller, id } = await paidSale()
  const again = settle(market.as(admins[1]!), { seller, orderIds: [id] }, 'UTR 1')
  await expect(again).rejects.toMatchObject({ code: 'VERSION' })
  await settle(market.as(admins[0]!), { seller, orderIds: [id] }, 'UTR 1')
})
