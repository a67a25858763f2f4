import { desc, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import { settlements } from '#src/invoices/tables.ts'
import { indianDay } from '#src/kit/time-money/dates.ts'
import { makeOrder } from '#src/orders/steps/makers.server.ts'
import { orders } from '#src/orders/tables.ts'
import { shareTestApp, type TestApp } from '#tools/test-kit/test-app.ts'

let app: TestApp
shareTestApp((opened) => (app = opened))

test('a call counts the price that the seller holds; another amount needs a note and the password', async () => {
  const admin = await makeUser(app.ctx, { typeId: 9 })
  const sold = await makeOrder(app.ctx, { status: 6, admin })
  // The seller delivered it and took the cash, so the seller owes the commission, less the discount that Sandhai bears.
  await app.ctx.db
    .update(orders)
    .set({ bearerId: sold.seller.id, paymentMethod: 'cash', amountPaid: 845_000_000n })
    .where(eq(orders.id, sold.id))
  const entry = { amount: 80_750, method: 'cash', reference: 'Slip 1', day: indianDay(app.ctx.now) }
  const post = (changes: object) =>
    app.call(`/api/v1/settlement/orderid=${sold.id}`, { method: 'POST', as: admin, csrf: true, json: { ...entry, ...changes } })
  const refusal = async (changes: object) => (await (await post(changes)).json()) as object
  expect(await refusal({})).toMatchObject({ code: 'VALIDATION', fields: [{ field: 'note' }] })
  expect(await refusal({ amount: 90_000 })).toMatchObject({ code: 'VALIDATION', fields: [{ field: 'amount' }] })
  expect(await refusal({ note: 'Agreed', password: 'wrong' })).toMatchObject({ code: 'PASSWORD_WRONG' })
  expect((await post({ amount: 3750 })).status).toBe(200)
  const [last] = await app.ctx.db.select().from(settlements).orderBy(desc(settlements.id)).limit(1)
  expect(last).toMatchObject({ kind: 'received', amount: 37_500_000n })
})
