import { beforeAll, describe, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import type { Viewer } from '#src/kit/context.ts'
import { indianDay } from '#src/kit/time-money/dates.ts'
import { sendForm } from '#tools/test-kit/send-form.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { problemDetail } from '#src/kit/problem-text.ts'
import type { Problem } from '#src/kit/base/problem.ts'
import { audit } from '#src/kit/records/audit.server.ts'
import { settleInvoice } from '#src/invoices/commands.server.ts'
import { getInvoice } from '#src/invoices/queries.server.ts'
import { recordPayment } from './closing.server.ts'
import { makeOrder } from './makers.server.ts'
import { shownOrder } from '#src/orders/card/order-view.server.ts'
import { action } from '#src/orders/list/orders-page.tsx'
import { getOrder, listOrders, noFilters } from '../queries.server.ts'
import type { OrderStatus } from '../process.server.ts'
import { takeStep } from './take-step.server.ts'

let market: TestMarket
let admin: Viewer
shareMarket((opened) => (market = opened))
beforeAll(async () => {
  admin = await makeUser(market.ctx, { typeId: 9 })
})

const made = ({ status = 1 }: { status?: OrderStatus } = {}) => makeOrder(market.ctx, { status, admin })
const send = (viewer: Viewer, fields: Record<string, string>) =>
  sendForm(market.ctx, action as never, { viewer, fields, params: {} }).catch((error: unknown) => {
    // A redirect means that the form was accepted.
    if (error instanceof Response) return null
    throw error
  })
const rowOf = (id: number) => getOrder(market.as(admin), id)

describe('the forms of the orders page', () => {
  test('let an admin record the payment of an order that was delivered without one, once; others may not', async () => {
    const order = await made({ status: 5 })
    const id = String(order.id)
    await takeStep(market.as(admin), order.id, { to: 6, note: 'The bearer called.' })
    const flagged = async () =>
      (await listOrders(market.as(admin), { ...noFilters, buyerId: order.buyer.id, isFlagged: true })).orders.map(({ id }) => id)
    expect(await flagged()).toEqual([order.id])
    const shown = async (as: Viewer) => shownOrder(market.as(as, { locale: 'en' }), await getOrder(market.as(as), order.id))
    expect(await shown(order.buyer)).toMatchObject({ paid: 'Payment not recorded yet', isPaymentOpen: true })
    const record = { act: 'payment', id, paymentMethod: 'cash', amountPaid: '84,500', note: 'The bearer brought it.' }
    expect(await send(order.buyer, record)).toBe('ROLE_FORBIDDEN')
    expect(await send(order.seller, record)).toBe('ROLE_FORBIDDEN')
    expect(await send(await makeUser(market.ctx), record)).toBe('ROLE_FORBIDDEN')
    for (const blank of [{ paymentMethod: '' }, { amountPaid: '' }, { note: '' }, { amountPaid: '84,501' }])
      expect(await send(admin, { ...record, ...blank }), JSON.stringify(blank)).toBe('VALIDATION')
    expect(await rowOf(order.id)).toMatchObject({ paymentMethod: null, amountPaid: null })
    expect(await send(admin, record)).toBeNull()
    expect(await rowOf(order.id)).toMatchObject({ paymentMethod: 'cash', amountPaid: 845_000_000n })
    // A double tap records one payment; a second payment is refused.
    expect(await send(admin, record)).toBeNull()
    const other = await makeUser(market.ctx, { typeId: 9 })
    expect(await send(other, record)).toBe('ORDER_TERMINAL')
    const stated = { payment: { method: 'upi' as const, amount: 845_000_000n }, note: 'By UPI.' }
    const refused = recordPayment(market.as(other), order.id, stated).catch((error: unknown) => error)
    expect(problemDetail((await refused) as Problem, 'en')).toMatch(/“Payment recorded” \(.+, \d+-/)
    // The actor of a bearer's link is the admin who made it, so the refusal names nobody.
    await audit(market.as(admin), 'order_step', `order:${order.id}`, { from: 5, to: 6, bearer: 1 })
    const late = recordPayment(market.as(other), order.id, stated).catch((error: unknown) => error)
    expect(problemDetail((await late) as Problem, 'en')).not.toMatch(/“/)
    expect(await flagged()).toEqual([])
    expect((await shown(order.buyer)).paid).toBe('₹84,500 paid in cash')
    expect((await shown(admin)).steps.at(-1)).toMatchObject({ text: 'Payment recorded', note: 'The bearer brought it.' })
    const early = await made({ status: 5 })
    expect(await send(admin, { ...record, id: String(early.id) })).toBe('ORDER_STEP')
    await takeStep(market.as(admin), early.id, { to: 6, note: 'The bearer called.' })
    expect(await send(admin, { ...record, id: String(early.id), amountPaid: '84,000' })).toBeNull()
    expect((await shownOrder(market.as(admin, { locale: 'en' }), await rowOf(early.id))).paid).toBe(
      '₹84,000 paid in cash. ₹500 is still open.',
    )
  })

  test('show whether the money for the seller is settled, and cannot settle it: only the page of the seller counts what the seller holds', async () => {
    const order = await made({ status: 6 })
    const shown = async () => shownOrder(market.as(admin), await getOrder(market.as(admin), order.id)).desk?.commission
    expect(await shown()).toEqual({ settled: null })
    const entry = { method: 'bank' as const, reference: 'UTR 4711', paidOn: indianDay(market.ctx.now), seen: 0 }
    expect(await send(admin, { act: 'settle', id: String(order.id), amount: '80,750' })).toBe('MALFORMED')
    const { id } = await getInvoice(market.as(admin), order.id, 'commission')
    await settleInvoice(market.as(admin), id, { ...entry, amount: 807_500_000n })
    expect(await shown()).toEqual({ settled: expect.stringContaining('UTR 4711') })
    expect((await getOrder(market.as(order.buyer), order.id)).commission).toBeNull()
  })

  test('end an order by the list of statuses only with a reason, too', async () => {
    const order = await made({ status: 1 })
    const step = { act: 'step', id: String(order.id), from: '1', to: '102' }
    for (const note of ['', ' ']) expect(await send(admin, { ...step, note })).toBe('VALIDATION')
    expect((await rowOf(order.id)).status).toBe(1)
    expect(await send(admin, { ...step, note: 'Sold.' })).toBeNull()
    expect(await getOrder(market.as(order.buyer), order.id)).toMatchObject({ status: 102, endReason: 'Sold.' })
  })
})
