import { eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import { makeAddress } from '#src/addresses/makers.server.ts'
import type { Ctx, Viewer } from '#src/kit/context.ts'
import { problemDetail } from '#src/kit/problem-text.ts'
import type { Problem } from '#src/kit/base/problem.ts'
import { makeListing } from '#src/listings/makers.server.ts'
import { often } from '#tools/test-kit/often.ts'
import { sendForm } from '#tools/test-kit/send-form.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { refusalOf } from '#tools/test-kit/test-people.ts'
import { action as ordersAction } from '#src/orders/list/orders-page.tsx'
import { CONFIRMED, NOT_AVAILABLE, PLACED } from '../process.server.ts'
import { orders, orderSteps } from '../tables.ts'
import { makeOrder } from './makers.server.ts'
import { takeStep, type StepInput } from './take-step.server.ts'

const ORDERS = often(30, 150)

let market: TestMarket
let people: { admin: Viewer; buyer: Viewer; seller: Viewer; addressId: number; listingId: number }
let other: Viewer
shareMarket((opened) => (market = opened))
beforeAll(async () => {
  const { ctx } = market
  const [admin, buyer, seller] = [
    await makeUser(ctx, { typeId: 9, name: 'Meena' }),
    await makeUser(ctx),
    await makeUser(ctx, { typeId: 2 }),
  ]
  other = await makeUser(ctx, { typeId: 9 })
  const listingId = await makeListing(ctx, { sellerId: seller.id, stock: 4 * ORDERS + 10 })
  people = { admin, buyer, seller, addressId: await makeAddress(ctx, buyer.id), listingId }
})

const placed = async () => (await makeOrder(market.ctx, { ...people, status: PLACED })).id
type Step = (ctx: Ctx, id: number, input: StepInput) => Promise<void>

/** For each placed order, an admin confirms it while the seller says that it is not available. Returns the steps that each order took. */
async function stepAtOnce(step: Step): Promise<number[][]> {
  const taken: number[][] = []
  for (let n = 0; n < ORDERS; n++) {
    const id = await placed()
    await Promise.all([
      refusalOf(step(market.as(people.admin), id, { to: CONFIRMED, from: PLACED })),
      refusalOf(step(market.as(people.seller), id, { to: NOT_AVAILABLE, from: PLACED })),
    ])
    const steps = await market.ctx.db.select().from(orderSteps).where(eq(orderSteps.orderId, id)).orderBy(orderSteps.id)
    taken.push(steps.map(({ toStatus }) => toStatus).filter((to) => to !== PLACED))
  }
  return taken
}

test('of two steps from the same status one is taken', async () => {
  for (const steps of await stepAtOnce(takeStep)) expect(steps).toHaveLength(1)
})

test('control: without the status that was seen both steps are taken', async () => {
  const ends = await stepAtOnce((ctx, id, { to }) => takeStep(ctx, id, { to }))
  expect(ends.some((steps) => steps.length === 2)).toBe(true)
})

test('a step from an older page is refused with what was done, by whom and when', async () => {
  const id = await placed()
  await takeStep(market.as(people.admin, { now: new Date('2026-11-27T05:12:00Z') }), id, { to: CONFIRMED })
  const refusalFor = (viewer: Viewer, to: number) =>
    takeStep(market.as(viewer), id, { to, from: PLACED }).then(
      () => 'taken',
      (error: Problem) => problemDetail(error, 'en'),
    )
  const when = '27-November-2026, 10:42'
  expect(await refusalFor(other, NOT_AVAILABLE)).toContain(`“Order confirmed” (Sandhai team · Meena, ${when})`)
  // Sellers and buyers do not read the names of admins.
  expect(await refusalFor(people.seller, NOT_AVAILABLE)).toContain(`“Order confirmed” (Sandhai team, ${when})`)
  const stranger = await makeUser(market.ctx)
  expect(await refusalOf(takeStep(market.as(stranger), id, { to: NOT_AVAILABLE, from: PLACED }))).toBe('NOT_FOUND')
  expect(await refusalOf(takeStep(market.as(people.buyer), id, { to: NOT_AVAILABLE, from: PLACED }))).toBe('ROLE_FORBIDDEN')
})

test('the form of the orders page sends the status that it shows', async () => {
  const id = await placed()
  const send = (viewer: Viewer, fields: Record<string, string>) =>
    sendForm(market.ctx, ordersAction as never, { viewer, params: {}, fields: { id: String(id), ...fields } }).catch(
      (redirected: unknown) => (redirected instanceof Response ? 'taken' : String(redirected)),
    )
  expect(await send(people.admin, { act: 'step', from: '1', to: '2' })).toBe('taken')
  expect(await send(other, { act: 'end', from: '1', to: '102', note: 'Sold elsewhere' })).toBe('VERSION')
  expect(await send(people.buyer, { act: 'cancel', from: '1' })).toBe('VERSION')
  // A repeat of the person's own step succeeds, as after a lost answer.
  expect(await send(people.admin, { act: 'step', from: '1', to: '2' })).toBe('taken')
  const [row] = await market.ctx.db.select().from(orders).where(eq(orders.id, id))
  expect(row!.status).toBe(CONFIRMED)
  expect(await send(people.buyer, { act: 'cancel', from: '2' })).toBe('taken')
})
