import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import { users } from '#src/accounts/tables.ts'
import type { Viewer } from '#src/kit/context.ts'
import { outbox } from '#src/kit/db/tables.ts'
import { daysBefore, indianDay, indianDayIn } from '#src/kit/time-money/dates.ts'
import { fetchCode } from '#src/orders/bearers/fetch-code.server.ts'
import { acceptAnimal } from '#src/orders/steps/handover.server.ts'
import { makeBearer, makeOrder, statusOf } from '#src/orders/steps/makers.server.ts'
import { getOrder } from '../queries.server.ts'
import { REFUSED } from '../process.server.ts'
import { payableOf } from '../rules.ts'
import { bearers, orders, runLinks } from '../tables.ts'
import { refusalOf } from '#tools/test-kit/test-people.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { closeByLink, findRunLink, makeRunLink, revokeRunLink, sweepRunLinks } from './run-links.server.ts'
import { readOwnRun, readRunSheets } from './run-sheet.server.ts'

let market: TestMarket
let admin: Viewer
shareMarket((opened) => (market = opened))
beforeAll(async () => {
  admin = await makeUser(market.ctx, { typeId: 9, isAdmin: true, name: 'Office' })
})

const inDays = (days: number) => indianDayIn(market.ctx.now, days)
const today = () => inDays(0)
const rowOf = async (id: number) => (await market.ctx.db.select().from(orders).where(eq(orders.id, id)))[0]!

async function planned(status: 2 | 4 | 5 | 6, listedBearerId: number | null, deliverOn = today()) {
  const made = await makeOrder(market.ctx, { admin, status })
  await market.ctx.db.update(orders).set({ listedBearerId, deliverOn }).where(eq(orders.id, made.id))
  return made
}
const tokenOf = (link: string) => link.split('/').at(-1)!
const linkFor = async (bearerId: number, day = today()) => tokenOf(await makeRunLink(market.as(admin), { bearerId, day }))
const anonymous = () => ({ ...market.ctx, viewer: null })

describe('the run sheets of a day', () => {
  test('have a stop for each place: an order on the way has only its delivery stop, and a finished order is only listed', async () => {
    const bearer = await makeBearer(market.ctx)
    const [ready, way, over] = [await planned(4, bearer.id), await planned(5, bearer.id), await planned(6, bearer.id)]
    await planned(4, bearer.id, inDays(1))
    const sheets = await readRunSheets(market.as(admin), today(), bearer.id)
    expect(sheets).toHaveLength(1)
    const stops = sheets[0]!.stops.map(({ kind, id }) => `${kind} ${id}`)
    expect(new Set(stops)).toEqual(new Set([`fetch ${ready.id}`, `bring ${ready.id}`, `bring ${way.id}`]))
    expect(stops.indexOf(`fetch ${ready.id}`)).toBeLessThan(stops.indexOf(`bring ${ready.id}`))
    expect(sheets[0]!.done.map(({ id }) => id)).toEqual([over.id])
    const [fetch] = sheets[0]!.stops.filter(({ kind }) => kind === 'fetch')
    expect(fetch).toMatchObject({
      say: fetchCode(market.ctx, { ...ready, listedBearerId: bearer.id, createdAt: new Date() }),
      amount: null,
    })
    expect(await refusalOf(readRunSheets(market.as(ready.buyer), today(), null))).toBe('ROLE_FORBIDDEN')
  })

  test('show whole phone numbers to an admin without powers for today only', async () => {
    const bearer = await makeBearer(market.ctx)
    await planned(5, bearer.id)
    await planned(5, bearer.id, inDays(1))
    const weak = market.as(await makeUser(market.ctx, { typeId: 9 }))
    const phones = async (day: string) => (await readRunSheets(weak, day, bearer.id))[0]!.stops.map(({ place }) => place.phone)
    expect((await phones(today())).every((phone) => /^\+91\d{10}$/.test(phone))).toBe(true)
    expect((await phones(inDays(1))).every((phone) => phone.includes('x'))).toBe(true)
  })

  test('list orders without a bearer last', async () => {
    await planned(4, null)
    const sheets = await readRunSheets(market.as(admin), today(), null)
    expect(sheets.at(-1)!.bearer).toBeNull()
  })
})

describe("the link to a bearer's page", () => {
  test('is sent by SMS and stored as a hash, and works on its day until it is revoked or replaced', async () => {
    const bearer = await makeBearer(market.ctx)
    const token = await linkFor(bearer.id)
    const [sent] = await market.ctx.db.select().from(outbox).where(eq(outbox.recipient, bearer.phone))
    expect(sent).toMatchObject({ template: 'run-sheet', body: '' })
    expect(JSON.stringify(await market.ctx.db.select().from(runLinks))).not.toContain(token)
    expect(await findRunLink(anonymous(), token)).toMatchObject({ bearer: { id: bearer.id }, day: today() })
    expect(await findRunLink(anonymous(), token.toUpperCase())).not.toBeNull()
    expect(await findRunLink({ ...anonymous(), now: daysBefore(market.ctx.now, -1) }, token)).toBeNull()
    expect(
      await findRunLink(
        anonymous(),
        token.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
      ),
    ).toBeNull()
    for (const strange of ['', 'x', `${token}0`]) expect(await findRunLink(anonymous(), strange)).toBeNull()
    const next = await linkFor(bearer.id)
    expect(await findRunLink(anonymous(), token)).toBeNull()
    expect(await findRunLink(anonymous(), next)).not.toBeNull()
    await revokeRunLink(market.as(admin), { bearerId: bearer.id, day: today() })
    expect(await findRunLink(anonymous(), next)).toBeNull()
    expect(await refusalOf(makeRunLink(market.as(admin), { bearerId: bearer.id, day: inDays(-1) }))).toBe('VALIDATION')
    expect(await refusalOf(makeRunLink(market.as(await makeUser(market.ctx)), { bearerId: bearer.id, day: today() }))).toBe(
      'ROLE_FORBIDDEN',
    )
    expect(await refusalOf(makeRunLink(market.as(admin), { bearerId: 999_999, day: today() }))).toBe('NOT_FOUND')
  })

  test('stops working when the bearer is deactivated or its maker is no longer an admin', async () => {
    const [bearer, other] = [await makeBearer(market.ctx), await makeBearer(market.ctx)]
    const maker = await makeUser(market.ctx, { typeId: 9 })
    const token = await linkFor(bearer.id)
    await market.ctx.db.update(bearers).set({ isActive: false }).where(eq(bearers.id, bearer.id))
    expect(await findRunLink(anonymous(), token)).toBeNull()
    for (const change of [{ isActive: false }, { typeId: 1 }]) {
      const made = tokenOf(await makeRunLink(market.as(maker), { bearerId: other.id, day: today() }))
      expect(await findRunLink(anonymous(), made)).not.toBeNull()
      await market.ctx.db.update(users).set(change).where(eq(users.id, maker.id))
      expect(await findRunLink(anonymous(), made)).toBeNull()
      await market.ctx.db.update(users).set({ isActive: true, typeId: 9 }).where(eq(users.id, maker.id))
    }
  })

  test('is deleted a month after its day', async () => {
    const bearer = await makeBearer(market.ctx)
    await linkFor(bearer.id)
    const of = () => market.ctx.db.$count(runLinks, eq(runLinks.bearerId, bearer.id))
    await sweepRunLinks(market.ctx.db)
    expect(await of()).toBe(1)
    await market.ctx.db
      .update(runLinks)
      .set({ day: indianDay(daysBefore(new Date(), 32)) })
      .where(eq(runLinks.bearerId, bearer.id))
    await sweepRunLinks(market.ctx.db)
    expect(await of()).toBe(0)
  })
})

describe('closing an order by the link', () => {
  test("needs the buyer's digits and the full amount, and the history shows the bearer's step", async () => {
    const bearer = await makeBearer(market.ctx)
    const { id, buyer } = await planned(5, bearer.id)
    const token = await linkFor(bearer.id)
    const payable = payableOf(await rowOf(id))
    const code = await acceptAnimal(market.as(buyer), id)
    const wrong = code === '0000' ? '1111' : '0000'
    const close = (said: { code: string; amount: bigint }, by = token, order = id) =>
      refusalOf(closeByLink(anonymous(), by, order, { code: said.code, payment: { method: 'cash', amount: said.amount } }))
    expect(await close({ code: wrong, amount: payable })).toBe('HANDOVER_CODE_WRONG')
    // Only an admin may accept less.
    expect(await close({ code, amount: payable - 10_000_000n })).toBe('VALIDATION')
    const other = await makeBearer(market.ctx)
    expect(await close({ code, amount: payable }, await linkFor(other.id))).toBe('NOT_FOUND')
    expect(await close({ code, amount: payable }, '0'.repeat(32))).toBe('NOT_FOUND')
    const later = await planned(5, bearer.id, inDays(1))
    expect(await close({ code: await acceptAnimal(market.as(later.buyer), later.id), amount: payable }, token, later.id)).toBe('NOT_FOUND')
    expect(await close({ code, amount: payable })).toBe('taken')
    expect(await statusOf(market.ctx, id)).toBe(6)
    const { steps } = await getOrder(market.as(admin), id)
    expect(steps.at(-1)).toMatchObject({ to: 6, as: 'bearer' })
    const { stops, done } = await readOwnRun(anonymous(), today(), bearer.id)
    expect(stops).toEqual([])
    expect(done.map((each) => each.id)).toEqual([id])
  })

  test('sent again with the same payment succeeds; with another, or after a refusal at the door, the bearer reads that it is closed', async () => {
    const bearer = await makeBearer(market.ctx)
    const token = await linkFor(bearer.id)
    const [done, over] = [await planned(5, bearer.id), await planned(5, bearer.id)]
    const payment = async (id: number, method: 'cash' | 'upi') => ({ method, amount: payableOf(await rowOf(id)) })
    const close = async (id: number, code: string, method: 'cash' | 'upi') =>
      refusalOf(closeByLink(anonymous(), token, id, { code, payment: await payment(id, method) }))
    const code = await acceptAnimal(market.as(done.buyer), done.id)
    expect(await close(done.id, code, 'cash')).toBe('taken')
    expect(await close(done.id, code, 'cash')).toBe('taken')
    expect(await close(done.id, code, 'upi')).toBe('ORDER_TERMINAL')
    await market.ctx.db.update(orders).set({ status: REFUSED }).where(eq(orders.id, over.id))
    expect(await close(over.id, '1234', 'cash')).toBe('ORDER_TERMINAL')
  })

  test('locks after five wrong codes, like the handover page', async () => {
    const bearer = await makeBearer(market.ctx)
    const { id, buyer } = await planned(5, bearer.id)
    const token = await linkFor(bearer.id)
    const code = await acceptAnimal(market.as(buyer), id)
    const payment = { method: 'cash' as const, amount: payableOf(await rowOf(id)) }
    const wrong = code === '0000' ? '1111' : '0000'
    for (let n = 0; n < 5; n++)
      expect(await refusalOf(closeByLink(anonymous(), token, id, { code: wrong, payment }))).toBe('HANDOVER_CODE_WRONG')
    expect(await refusalOf(closeByLink(anonymous(), token, id, { code, payment }))).toBe('HANDOVER_LOCKED')
  })
})
