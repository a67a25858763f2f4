import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq, sql } from 'drizzle-orm'
import { RouterContextProvider } from 'react-router'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import { users } from '#src/accounts/tables.ts'
import { ctxContext, siteContext, visitorContext, type Viewer } from '#src/kit/context.ts'
import { cookieNamesFor } from '#src/kit/base/cookies.server.ts'
import { readEnv } from '#src/kit/base/env.server.ts'
import { RateLimits } from '#src/kit/db/rate-limits.server.ts'
import { defaultSettings } from '#src/kit/settings.ts'
import { outbox } from '#src/kit/db/tables.ts'
import { openMediaStore, type MediaStore } from '#src/kit/media/media-store.server.ts'
import { daysBefore, indianDay, indianDayIn } from '#src/kit/time-money/dates.ts'
import { fetchCode, loadedCode } from '#src/orders/bearers/fetch-code.server.ts'
import { acceptAnimal, planDelivery, planOf } from '#src/orders/steps/handover.server.ts'
import { makeBearer, makeOrder, statusOf } from '#src/orders/steps/makers.server.ts'
import { takeStep } from '#src/orders/steps/take-step.server.ts'
import { formatRupees } from '#src/kit/time-money/money.ts'
import { getOrder } from '../queries.server.ts'
import { CANCELLED, REFUSED } from '../process.server.ts'
import { payableOf } from '../rules.ts'
import { bearers, orders, runLinks } from '../tables.ts'
import { refusalOf } from '#tools/test-kit/test-people.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { picture } from '#tools/test-kit/test-sale.ts'
import { loader } from './bring-page.tsx'
import { closeByLink, fetchByLink, refuseByLink } from './link-acts.server.ts'
import { findRunLink, makeRunLink, revokeRunLink, sweepRunLinks } from './run-links.server.ts'
import { readOwnRun, readRunSheets } from './run-sheet.server.ts'

let market: TestMarket
let admin: Viewer
let folder: string
let media: MediaStore
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sandhai-refusals-'))
  media = await openMediaStore(folder)
})
afterAll(() => folder && rmSync(folder, { recursive: true, force: true }))
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

async function openPage(token: string, query = '') {
  const [context, origin] = [new RouterContextProvider(), 'https://sandhai.test']
  const env = { ...readEnv({ PUBLIC_ORIGIN: origin }), secret: 's'.repeat(32) }
  context.set(ctxContext, anonymous())
  context.set(siteContext, { env, limits: new RateLimits(1), media, contact: defaultSettings.contact, noteAway: () => {} })
  const cookieNames = cookieNamesFor(origin, origin, 'demo')
  context.set(visitorContext, { cookies: {}, cookieNames, address: '203.0.113.7', userAgent: '', hasSessionEnded: false })
  return (await loader({ request: new Request(`${origin}/bring/${token}${query}`), params: { token }, context })).data
}

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

  test('name the sums of the day, and warn of too many stops, too far, or too much for the vehicle', async () => {
    const bearer = await makeBearer(market.ctx, { capacity: 2 })
    const sheet = async () => (await readRunSheets(market.as(admin), today(), bearer.id))[0]!
    const place = async (id: number, delivery: string) =>
      market.ctx.db
        .update(orders)
        .set({ delivery: sql`jsonb_set(delivery, '{pincode}', to_jsonb(${delivery}::text))` })
        .where(eq(orders.id, id))
    const first = await planned(4, bearer.id)
    await place(first.id, '600001')
    const far = await sheet()
    expect(far.sums).toMatch(/^2 stops · about 3\d\d km/)
    expect(far.warnings).toEqual([expect.stringContaining('200 km')])
    expect(far.total).toBe(formatRupees(payableOf(await rowOf(first.id))))
    await place(first.id, (await rowOf(first.id)).pickup.pincode)
    for (let n = 0; n < 2; n++) await planned(5, bearer.id)
    expect(await sheet()).toMatchObject({ warnings: [expect.stringContaining('3 cows')], isLoadUnknown: false })
    await market.ctx.db.update(bearers).set({ capacity: null }).where(eq(bearers.id, bearer.id))
    expect(await sheet()).toMatchObject({ warnings: [], isLoadUnknown: true })
    for (let n = 0; n < 21; n++) await planned(5, bearer.id)
    expect((await sheet()).warnings).toEqual([expect.stringContaining('24')])
  })

  test('list the animals to take back: those whose order ended on the way, with their seller', async () => {
    const bearer = await makeBearer(market.ctx)
    const [refused, cancelled, early] = [await planned(5, bearer.id), await planned(5, bearer.id), await planned(4, bearer.id)]
    await takeStep(market.as(admin), refused.id, { to: REFUSED, reason: 'Lame.' })
    await takeStep(market.as(admin), cancelled.id, { to: CANCELLED, reason: 'Not at home.' })
    await takeStep(market.as(admin), early.id, { to: CANCELLED, reason: 'Sold.' })
    const [sheet] = await readRunSheets(market.as(admin), today(), bearer.id)
    expect(sheet!.stops).toEqual([])
    expect(sheet!.done).toEqual([])
    expect(sheet!.returns.map(({ id }) => id)).toEqual([refused.id, cancelled.id])
    expect(sheet!.returns[0]!.place.name).toBe((await rowOf(refused.id)).pickup.name)
  })

  test('begin with the stop that is nearest to the last place that the bearer reached', async () => {
    const bearer = await makeBearer(market.ctx)
    const [north, south, reached] = [await planned(5, bearer.id), await planned(5, bearer.id), await planned(5, bearer.id)]
    const bring = async (id: number, pincode: string) =>
      market.ctx.db
        .update(orders)
        .set({ delivery: sql`jsonb_set(delivery, '{pincode}', to_jsonb(${pincode}::text))` })
        .where(eq(orders.id, id))
    await bring(north.id, '600001')
    await bring(south.id, '629001')
    // They were fetched before the other one was handed over.
    for (const { id } of [north, south])
      await market.ctx.db
        .update(orders)
        .set({ changedAt: sql`changed_at - interval '1 second'` })
        .where(eq(orders.id, id))
    for (const [at, next] of [
      ['600002', north],
      ['629002', south],
    ] as const) {
      await bring(reached.id, at)
      await market.ctx.db.update(orders).set({ status: 6, deliveredOn: today() }).where(eq(orders.id, reached.id))
      const { stops } = await readOwnRun(anonymous(), today(), bearer.id)
      expect(stops[0]!.id).toBe(next.id)
    }
  })

  test('name each account that is not in the list of bearers, two of one name apart, with its stops and sums', async () => {
    const day = inDays(3)
    for (const name of ['Ravi', 'Ravi']) {
      const carrier = await makeUser(market.ctx, { name })
      const { id } = await planned(4, null, day)
      await market.ctx.db.update(orders).set({ bearerId: carrier.id }).where(eq(orders.id, id))
    }
    const sheets = await readRunSheets(market.as(admin), day, null)
    expect(sheets).toMatchObject(
      Array(2).fill({ bearer: { id: null, name: 'Ravi' }, sums: expect.stringMatching(/^2 stops/), hasLink: false }),
    )
    expect(new Set(sheets.map(({ bearer }) => bearer?.phone)).size).toBe(2)
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
    for (const each of [token, next]) expect(await findRunLink(anonymous(), each, { isAct: true })).toBeNull()
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

  test('arrives until noon of the next day, when the phone had no connection before; the page of the link ends at midnight', async () => {
    const bearer = await makeBearer(market.ctx)
    const { id, buyer } = await planned(5, bearer.id)
    const token = await linkFor(bearer.id)
    const payment = { method: 'cash' as const, amount: payableOf(await rowOf(id)) }
    const code = await acceptAnimal(market.as(buyer), id)
    // 00:30, 11:30 and 12:30 in India.
    const [night, morning, noon] = ['19:00', '06:00', '07:00'].map((time, at) => new Date(`${inDays(at === 0 ? 0 : 1)}T${time}:00Z`))
    const close = (now: Date) => refusalOf(closeByLink({ ...anonymous(), now }, token, id, { code, payment }))
    for (const now of [night!, morning!, noon!]) expect(await findRunLink({ ...anonymous(), now }, token)).toBeNull()
    expect(await close(noon!)).toBe('NOT_FOUND')
    expect(await findRunLink({ ...anonymous(), now: night! }, token, { isAct: true })).not.toBeNull()
    expect(await close(morning!)).toBe('taken')
    expect(await statusOf(market.ctx, id)).toBe(6)
  })

  test('arrives by an earlier link of the day, and the page then says only that it arrived; not by a link that was stopped', async () => {
    const bearer = await makeBearer(market.ctx)
    const [first, second] = [await planned(5, bearer.id), await planned(5, bearer.id)]
    const token = await linkFor(bearer.id)
    await linkFor(bearer.id)
    const close = async ({ id, buyer }: typeof first) => {
      const payment = { method: 'cash' as const, amount: payableOf(await rowOf(id)) }
      return refusalOf(closeByLink(anonymous(), token, id, { code: await acceptAnimal(market.as(buyer), id), payment }))
    }
    expect(await close(first)).toBe('taken')
    const took = `?took=close-${first.id}`
    const { orderNo } = await rowOf(first.id)
    expect(await openPage(token, took)).toMatchObject({ run: null, took: { act: 'close', number: orderNo } })
    for (const query of ['', `?took=close-${second.id}`]) expect(await openPage(token, query)).toMatchObject({ run: null, took: null })
    await revokeRunLink(market.as(admin), { bearerId: bearer.id, day: today() })
    expect(await close(second)).toBe('NOT_FOUND')
    expect(await openPage(token, took)).toMatchObject({ run: null, took: null })
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

/** Digits of this length other than the right ones. */
const otherThan = (code: string) => (code === '0'.repeat(code.length) ? '1' : '0').repeat(code.length)

/** An order that is ready for pickup, the link of its bearer, and the digits that its seller says. */
async function readyToFetch() {
  const bearer = await makeBearer(market.ctx)
  const order = await planned(4, bearer.id)
  const said = loadedCode(market.ctx, { ...(await rowOf(order.id)), listedBearerId: bearer.id })
  return { ...order, bearer, said, token: await linkFor(bearer.id) }
}

describe('an animal that is loaded, reported by the link', () => {
  test("needs the seller's digits, is on the way then, and may be reported again", async () => {
    const { id, said, token, buyer, bearer } = await readyToFetch()
    const fetch = (code: string, by = token, order = id) => refusalOf(fetchByLink(anonymous(), by, order, code))
    expect(await fetch(otherThan(said))).toBe('HANDOVER_CODE_WRONG')
    expect(await statusOf(market.ctx, id)).toBe(4)
    const other = await makeBearer(market.ctx)
    expect(await fetch(said, await linkFor(other.id))).toBe('NOT_FOUND')
    expect(await fetch(said, '0'.repeat(32))).toBe('NOT_FOUND')
    const checked = await planned(2, bearer.id)
    const early = loadedCode(market.ctx, { ...(await rowOf(checked.id)), listedBearerId: bearer.id })
    expect(await fetch(early, token, checked.id)).toBe('ORDER_STEP')
    expect(await fetch(said)).toBe('taken')
    expect(await fetch(said)).toBe('taken')
    const { steps, status } = await getOrder(market.as(admin), id)
    expect(status).toBe(5)
    expect(steps.filter(({ to }) => to === 5)).toMatchObject([{ as: 'bearer' }])
    await takeStep(market.as(buyer), id, { to: CANCELLED })
    expect(await fetch(said)).toBe('ORDER_TERMINAL')
  })

  test("locks after five wrong codes; the buyer's digits and another bearer have tries of their own", async () => {
    const { id, said, token, bearer } = await readyToFetch()
    const tryWrong = () => refusalOf(fetchByLink(anonymous(), token, id, otherThan(said)))
    for (let n = 0; n < 5; n++) expect(await tryWrong()).toBe('HANDOVER_CODE_WRONG')
    expect(await refusalOf(fetchByLink(anonymous(), token, id, said))).toBe('HANDOVER_LOCKED')
    const other = await makeBearer(market.ctx)
    for (const listedBearerId of [other.id, bearer.id]) {
      const { deliverOn, ...row } = await rowOf(id)
      const plan = { deliverOn, deliverWindow: null, bearerPhone: '', listedBearerId }
      await planDelivery(market.as(admin), id, { ...plan, seen: planOf({ deliverOn, ...row }) })
    }
    expect(await tryWrong()).toBe('HANDOVER_CODE_WRONG')
    expect((await rowOf(id)).handoverTries).toBe(1)
    expect(await refusalOf(fetchByLink(anonymous(), token, id, said))).toBe('taken')
    expect((await rowOf(id)).handoverTries).toBe(0)
  })

  test('is refused once the office has given the order to another bearer', async () => {
    const { id, said, token } = await readyToFetch()
    const other = await makeBearer(market.ctx)
    await market.ctx.db.update(orders).set({ listedBearerId: other.id }).where(eq(orders.id, id))
    expect(await refusalOf(fetchByLink(anonymous(), token, id, said))).toBe('NOT_FOUND')
    const own = loadedCode(market.ctx, { ...(await rowOf(id)), listedBearerId: other.id })
    expect(await refusalOf(fetchByLink(anonymous(), await linkFor(other.id), id, own))).toBe('taken')
  })
})

describe('an animal that the buyer does not take, reported by the link', () => {
  test('needs a picture, ends the order with the reason for both sides, and may be reported again', async () => {
    const bearer = await makeBearer(market.ctx)
    const { id, seller } = await planned(5, bearer.id)
    const token = await linkFor(bearer.id)
    const photo = await picture(7)
    const refuse = (facts: { token?: string; reason?: string; photo?: Buffer | null } = {}) =>
      refusalOf(refuseByLink(anonymous(), media, { token, id, reason: 'Lame.', photo, ...facts }))
    expect(await refuse({ photo: null })).toBe('VALIDATION')
    expect(await refuse({ token: '0'.repeat(32), photo: null })).toBe('NOT_FOUND')
    expect(await refuse({ token: await linkFor((await makeBearer(market.ctx)).id) })).toBe('NOT_FOUND')
    expect(await refuse({ photo: Buffer.from('x') })).toBe('UNSUPPORTED_TYPE')
    expect(await statusOf(market.ctx, id)).toBe(5)
    expect(await refuse()).toBe('taken')
    expect(await refuse()).toBe('taken')
    expect(await refuse({ reason: 'Ill.' })).toBe('ORDER_TERMINAL')
    const { steps, endReason, photoKey } = await getOrder(market.as(admin), id)
    expect(steps.filter(({ to }) => to === REFUSED)).toMatchObject([{ as: 'bearer' }])
    expect(endReason).toBe('Lame.')
    expect(photoKey).not.toBeNull()
    const { returns } = await readOwnRun(anonymous(), today(), bearer.id)
    expect(returns).toMatchObject([{ id, place: { name: (await rowOf(id)).pickup.name } }])
    const [person] = await market.ctx.db.select().from(users).where(eq(users.id, seller.id))
    const told = await market.ctx.db.select().from(outbox).where(eq(outbox.recipient, person!.phone))
    expect(told.map(({ template }) => template)).toContain('order-refused-seller')
  })

  test('is refused before the animal was fetched', async () => {
    const { id, token } = await readyToFetch()
    const photo = await picture(8)
    expect(await refusalOf(refuseByLink(anonymous(), media, { token, id, reason: 'Lame.', photo }))).toBe('ORDER_STEP')
  })
})
