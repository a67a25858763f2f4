import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import { settleInvoice } from '#src/invoices/commands.server.ts'
import { getInvoice } from '#src/invoices/queries.server.ts'
import type { Viewer } from '#src/kit/context.ts'
import { daysBefore, indianDay } from '#src/kit/time-money/dates.ts'
import { rupees } from '#src/kit/time-money/money.ts'
import { closeOrder } from '#src/orders/steps/closing.server.ts'
import { makeOrder } from '#src/orders/steps/makers.server.ts'
import { orders } from '#src/orders/tables.ts'
import { sealPayee } from '#src/selling/earnings/payees.server.ts'
import { listSales } from '#src/selling/earnings/earnings.server.ts'
import { payees, payoutLines } from '#src/selling/tables.ts'
import { sendForm } from '#tools/test-kit/send-form.ts'
import { shareTestApp, type TestApp } from '#tools/test-kit/test-app.ts'
import { refusalOf } from '#tools/test-kit/test-people.ts'
import { makePayout } from './make-payout.server.ts'
import { readOwed } from './owed.server.ts'
import { action as payoutAction } from './payout-page.tsx'
import { failLines, listPayouts, type PayoutLine, readPayout, recordPayout, storeReferences } from './payouts.server.ts'

let app: TestApp
let admin: Viewer
shareTestApp((opened) => (app = opened))
beforeAll(async () => {
  admin = await makeUser(app.ctx, { typeId: 9, name: 'Selvi' })
})

const desk = (by = admin) => app.as(by)
const today = () => indianDay(app.ctx.now)

async function makeSeller({ hasPayee = true } = {}): Promise<Viewer> {
  const seller = await makeUser(app.ctx, { typeId: 2, name: 'Murugesan' })
  const sealed = sealPayee(app.ctx, { method: 'upi', holder: 'Murugesan', upi: 'murugesan@okbank' })
  if (hasPayee) await app.ctx.db.insert(payees).values({ userId: seller.id, sealed, changedAt: app.ctx.now })
  return seller
}

interface SaleChanges {
  price?: bigint
  isRecorded?: boolean
  isBroughtBySeller?: boolean
}

async function sale(seller: Viewer, { price = rupees(85_000), isRecorded = true, isBroughtBySeller = false }: SaleChanges = {}) {
  const { id } = await makeOrder(app.as(null, { now: daysBefore(app.ctx.now, 3) }), {
    status: 5,
    seller,
    admin,
    listing: { originalPrice: price, offerPrice: null },
  })
  if (isBroughtBySeller) await app.ctx.db.update(orders).set({ bearerId: seller.id }).where(eq(orders.id, id))
  const amount = rupees(80_000)
  await closeOrder(desk(), id, { ...(isRecorded && { payment: { method: 'cash', amount } }), note: 'As the bearer says.' })
  return id
}

const salesOf = async ({ id }: Viewer) => (await listSales(desk(), { sellerId: id, month: null })).sales
const balanceOf = async (seller: Viewer) => (await salesOf(seller)).reduce((sum, { balance }) => sum + balance, 0n)
const linesOf = async (id: number) => (await readPayout(desk(), id)).lines
const record = (id: number, lines: { id: number; reference: string }[], by = admin) =>
  recordPayout(desk(by), id, { paidOn: today(), lines })

describe('a payout', () => {
  test('pays each ticked seller the sum of their sales, and records it with the bank’s reference', async () => {
    const [one, two] = [await makeSeller(), await makeSeller()]
    for (const seller of [one, one, two]) await sale(seller)
    const { id, leftOut } = await makePayout(desk(), [one, two])
    expect(leftOut).toBe(0)
    const lines = await linesOf(id)
    expect(lines).toMatchObject([
      { sellerId: one.id, amount: rupees(161_500), sales: [{}, {}], account: 'muxxx@okbank' },
      { sellerId: two.id, amount: rupees(80_750), sales: [{}], account: 'muxxx@okbank' },
    ])
    expect(await balanceOf(one)).toBe(rupees(161_500))
    const paid = lines.map((line, n) => ({ id: line.id, reference: `UTR ${n}` }))
    for (const _ of [1, 2]) expect(await record(id, paid)).toEqual({ recorded: 2, refused: [] })
    expect([await balanceOf(one), await balanceOf(two)]).toEqual([0n, 0n])
    expect((await salesOf(one)).map(({ entry }) => entry)).toMatchObject([
      { method: 'upi', reference: 'UTR 0', kind: 'paid' },
      { method: 'upi', reference: 'UTR 0', kind: 'paid' },
    ])
    expect(await linesOf(id)).toMatchObject([{ state: 'paid', payee: null }, { state: 'paid' }])
    const listed = (await listPayouts(desk(), 1)).listed.find((payout) => payout.id === id)
    expect(listed).toMatchObject({ lines: 2, open: 0, amount: rupees(242_250), byName: 'Selvi' })
  })

  test('leaves out sellers without an account or without anything due, and sales without a recorded payment', async () => {
    const [seller, without, empty] = [await makeSeller(), await makeSeller({ hasPayee: false }), await makeSeller()]
    await sale(seller)
    await sale(seller, { isRecorded: false })
    await sale(without)
    const { id, leftOut } = await makePayout(desk(), [seller, without, empty])
    expect(leftOut).toBe(2)
    expect(await linesOf(id)).toMatchObject([{ sellerId: seller.id, amount: rupees(80_750), sales: [{}] }])
    expect(await refusalOf(makePayout(desk(), [without, empty]))).toBe('VALIDATION')
    expect(await refusalOf(makePayout(desk(), []))).toBe('VALIDATION')
    const rows = (await readOwed(desk(), { view: 'open', sort: { by: 'oldest', isDown: true }, page: 1 })).sellers
    expect(rows.find(({ sellerId }) => sellerId === seller.id)).toMatchObject({ balance: rupees(161_500), payable: rupees(80_750) })
  })

  test('is refused when another sum is due than the admin saw', async () => {
    const seller = await makeSeller()
    await sale(seller)
    const seen = rupees(80_750)
    await sale(seller)
    expect(await refusalOf(makePayout(desk(), [{ ...seller, seen }]))).toBe('VERSION')
    const { id } = await makePayout(desk(), [{ ...seller, seen: seen * 2n }])
    expect((await linesOf(id))[0]).toMatchObject({ amount: seen * 2n })
  })

  test('takes what the seller owes from what they get', async () => {
    const seller = await makeSeller()
    await sale(seller)
    // They took ₹80,000 in cash and should have ₹80,750.
    await sale(seller, { isBroughtBySeller: true })
    await sale(seller, { isBroughtBySeller: true, price: rupees(81_000) })
    const { id } = await makePayout(desk(), [seller])
    const [line] = await linesOf(id)
    expect(line!.amount).toBe(await balanceOf(seller))
    expect(line!.amount).toBe(rupees(80_750 + 750 + 76_950 - 80_000))
    await record(id, [{ id: line!.id, reference: 'UTR 1' }])
    expect(await balanceOf(seller)).toBe(0n)
    expect((await salesOf(seller)).map(({ entry }) => entry!.kind).toSorted()).toEqual(['paid', 'paid', 'received'])
  })

  test('pays whole paise, and the rest with the next payout', async () => {
    const seller = await makeSeller()
    for (const price of [850_000_067n, 850_000_066n]) await sale(seller, { price })
    const due = await balanceOf(seller)
    expect(due % 100n).toBe(33n)
    const first = await makePayout(desk(), [seller])
    const [line] = await linesOf(first.id)
    expect(line!.amount).toBe(due - 33n)
    await record(first.id, [{ id: line!.id, reference: 'UTR 1' }])
    expect(await balanceOf(seller)).toBe(33n)
    expect(await refusalOf(makePayout(desk(), [seller]))).toBe('VALIDATION')
    await sale(seller, { price: 850_000_067n })
    const second = await makePayout(desk(), [seller])
    const [next] = await linesOf(second.id)
    expect(next!.amount % 100n).toBe(0n)
    await record(second.id, [{ id: next!.id, reference: 'UTR 2' }])
    expect(await balanceOf(seller)).toBe(0n)
  })

  test('a seller is in one open payout at a time, and a failed line frees them', async () => {
    const seller = await makeSeller()
    await sale(seller)
    const { id } = await makePayout(desk(), [seller])
    expect(await refusalOf(makePayout(desk(), [seller]))).toBe('VALIDATION')
    const [line] = await linesOf(id)
    for (const _ of [1, 2]) await failLines(desk(), id, { ids: [line!.id], reason: 'account' })
    expect(await linesOf(id)).toMatchObject([{ state: 'failed', payee: null, reference: 'account' }])
    expect(await record(id, [{ id: line!.id, reference: 'UTR 1' }])).toMatchObject({ recorded: 0, refused: [{ sellerId: seller.id }] })
    expect(await balanceOf(seller)).toBe(rupees(80_750))
    const again = await makePayout(desk(), [seller])
    expect(again.leftOut).toBe(0)
    const { listed } = await listPayouts(desk(), 1)
    expect(listed.filter((payout) => [id, again.id].includes(payout.id))).toMatchObject([{ open: 1 }, { open: 0, failed: 1 }])
    expect(listed.map(({ open }) => open > 0)).toEqual(listed.map(({ open }) => open > 0).toSorted((a, b) => Number(b) - Number(a)))
    const [second] = await linesOf(again.id)
    await record(again.id, [{ id: second!.id, reference: 'UTR 2' }])
    const other = await makeUser(app.ctx, { typeId: 9 })
    const late = await record(again.id, [{ id: second!.id, reference: 'UTR 3' }], other)
    expect(late.refused[0]!.text).toMatch(/PO-\d+: .*UTR 2.*Selvi/)
    expect(await refusalOf(failLines(desk(other), again.id, { ids: [second!.id], reason: 'account' }))).toBe('VERSION')
  })

  test('"not paid" on the page stores what was typed for other lines, asks why, and fails all of the named lines or none', async () => {
    const sellers = await Promise.all([makeSeller(), makeSeller(), makeSeller()])
    for (const seller of sellers) await sale(seller)
    const { id } = await makePayout(desk(), sellers)
    const [first, second, third] = (await linesOf(id)) as [PayoutLine, PayoutLine, PayoutLine]
    const send = async (fields: Record<string, string>) =>
      sendForm(app.ctx, payoutAction as never, { viewer: admin, params: { payoutId: String(id) }, fields }).catch((answer: unknown) =>
        answer instanceof Response ? answer.headers.get('location') : Promise.reject(answer as Error),
      )
    const asked = await send({ act: 'record', fail: String(first.id), [`reference-${second.id}`]: 'UTR 7', day: today() })
    expect(asked).toMatch(new RegExp(`/admin/money/payouts/${id}\\?fail=${first.id}$`))
    expect((await linesOf(id)).map(({ state, reference }) => [state, reference])).toEqual([
      ['open', ''],
      ['open', 'UTR 7'],
      ['open', ''],
    ])
    for (const reason of ['', 'whatever']) expect(await send({ act: 'fail', line: String(first.id), reason })).toBe('VALIDATION')
    await record(id, [{ id: second.id, reference: 'UTR 7' }])
    expect(await refusalOf(failLines(desk(), id, { ids: [first.id, second.id], reason: 'account' }))).toBe('VERSION')
    expect((await linesOf(id)).map(({ state }) => state)).toEqual(['open', 'paid', 'open'])
    await failLines(desk(), id, { ids: [first.id, third.id], reason: 'account' })
    expect((await linesOf(id)).map(({ state }) => state)).toEqual(['failed', 'paid', 'failed'])
  })

  test('a payment by hand for a sale of an open payout is refused, and the payout pays it', async () => {
    const seller = await makeSeller()
    const orderId = await sale(seller)
    const { id } = await makePayout(desk(), [seller])
    const paper = await getInvoice(desk(), orderId, 'commission')
    const byHand = { amount: rupees(80_750), method: 'bank', reference: 'UTR 9', paidOn: today(), seen: 0 } as const
    const refusal = await settleInvoice(desk(), paper.id, byHand).catch((error: unknown) => error)
    expect(refusal).toMatchObject({ code: 'VERSION' })
    const later = await sale(seller)
    await settleInvoice(desk(), (await getInvoice(desk(), later, 'commission')).id, byHand)
    const [line] = await linesOf(id)
    expect(await record(id, [{ id: line!.id, reference: 'UTR 1' }])).toEqual({ recorded: 1, refused: [] })
    expect(await balanceOf(seller)).toBe(0n)
  })

  test('is for admins only, and takes no day before it was made or after today', async () => {
    const seller = await makeSeller()
    await sale(seller)
    expect(await refusalOf(makePayout(app.as(seller), [seller]))).toBe('ROLE_FORBIDDEN')
    const { id } = await makePayout(desk(), [seller])
    const [line] = await linesOf(id)
    const lines = [{ id: line!.id, reference: 'UTR 1' }]
    for (const act of [
      () => readPayout(app.as(seller), id),
      () => listPayouts(app.as(seller), 1),
      () => failLines(app.as(seller), id, { ids: [line!.id], reason: 'account' }),
      () => storeReferences(app.as(seller), id, new Map()),
      () => recordPayout(app.as(seller), id, { paidOn: today(), lines }),
    ])
      expect(await refusalOf(act())).toBe('ROLE_FORBIDDEN')
    for (const day of [indianDay(daysBefore(app.ctx.now, 1)), indianDay(daysBefore(app.ctx.now, -1))])
      expect(await refusalOf(recordPayout(desk(), id, { paidOn: day, lines }))).toBe('VALIDATION')
    expect(await refusalOf(recordPayout(desk(), 999_999, { paidOn: today(), lines }))).toBe('NOT_FOUND')
    const other = await makePayoutOf(await makeSeller())
    expect(await refusalOf(recordPayout(desk(), other, { paidOn: today(), lines }))).toBe('NOT_FOUND')
    expect(await storeReferences(desk(), other, new Map([[line!.id, 'UTR 1']]))).toBe(0)
    expect(await storeReferences(desk(), id, new Map([[line!.id, 'UTR 1']]))).toBe(1)
    expect(await linesOf(id)).toMatchObject([{ state: 'open', reference: 'UTR 1' }])
    await app.ctx.db.delete(payoutLines).where(eq(payoutLines.payoutId, id))
    expect(await refusalOf(readPayout(desk(), 999_999))).toBe('NOT_FOUND')
  })
})

async function makePayoutOf(seller: Viewer): Promise<number> {
  await sale(seller)
  return (await makePayout(desk(), [seller])).id
}
