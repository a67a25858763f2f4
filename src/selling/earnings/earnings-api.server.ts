import { z } from '@hono/zod-openapi'
import { settledBy, settlementMethods, type Settlement } from '#src/invoices/rules.ts'
import { idInPath, call, refusals, sendPersonal, type Api } from '#src/kit/http/api.server.ts'
import { encodeCursor } from '#src/kit/http/pagination.ts'
import { answerPage, cursorInQuery, cursorOf } from '#src/kit/http/paged-answers.server.ts'
import { toRupeeNumber } from '#src/kit/time-money/money.ts'
import { paymentMethods } from '#src/orders/rules.ts'
import { listMonths, listSales, MONTH, noteReader } from './earnings.server.ts'
import type { Sale, SaleSums } from './sales.server.ts'

const sums = z
  .strictObject({
    sales: z.int(),
    total: z.number().openapi({ description: 'The price of all items before any discount, in rupees.' }),
    discount: z.number().openapi({ description: 'The discount of the buyers, paid by Sandhai.' }),
    commission: z.number(),
    due: z.number().openapi({ description: 'The share of the seller: total − commission.' }),
    held: z.number().openapi({ description: 'Cash that the seller collected from the buyer at delivery.' }),
    settled: z.number().openapi({ description: 'The amount paid to the seller.' }),
    balance: z.number().openapi({ description: 'due − held − settled. If negative, the seller owes Sandhai.' }),
  })
  .openapi('SaleSums')

const sale = z
  .strictObject({
    order_id: z.int(),
    order_no: z.string(),
    delivered_on: z.iso.date(),
    listed_for: z.string().nullable().openapi({ description: 'The owner for whom the seller, an agent, listed it; else null.' }),
    invoicenumber: z.string(),
    ...sums.omit({ sales: true }).shape,
    commission_percent: z.int(),
    collected: z.strictObject({ method: z.enum(paymentMethods), amount: z.number() }).nullable(),
    settlement: z
      .strictObject({ amount: z.number(), method: z.enum(settlementMethods), reference: z.string(), day: z.iso.date() })
      .nullable(),
  })
  .openapi('Sale')

const earnings = z
  .strictObject({ months: z.array(z.strictObject({ month: z.string(), ...sums.shape }).openapi('MonthOfSales')), sales: z.array(sale) })
  .openapi('Earnings')

export function addEarningsCalls(api: Api): void {
  call(api, 'GET /earnings/seller={seller}&month={month}', {
    tags: ['Selling'],
    summary: "List a seller's earnings",
    description: 'Returns the sums of each month with deliveries and the sales of `month`, newest first. Admins read those of any seller.',
    request: {
      params: z.object({
        seller: idInPath(),
        month: z
          .string()
          .regex(MONTH, 'A month: 2026-11')
          .openapi({ pattern: MONTH.source, description: 'The month of the deliveries, in India.', example: '2026-11' }),
      }),
      query: z.strictObject({ cursor: cursorInQuery }),
    },
    responses: { 200: answerPage('The earnings.', earnings), ...refusals('VALIDATION', 'NOT_FOUND') },
    run: async (c) => {
      const { ctx } = c.var
      const { seller, month } = c.req.valid('param')
      const list = `earnings.${seller}.${month}`
      const after = cursorOf(list, c.req.valid('query').cursor, /^id$/)
      await noteReader(ctx, seller)
      const months = await listMonths(ctx, seller)
      const page = await listSales(ctx, { sellerId: seller, month, afterId: after?.id ?? null })
      if (page.nextAfterId !== null) c.header('X-Next-Cursor', encodeCursor(list, { value: 'id', id: page.nextAfterId }))
      return sendPersonal(c, {
        months: months.map(({ month, ...each }) => ({ month, sales: each.sales, ...amountsOf(each) })),
        sales: page.sales.map(saleOnWire),
      })
    },
  })
}

const amountsOf = ({ total, discount, commission, due, held, settled, balance }: Omit<SaleSums, 'sales'>) => ({
  total: toRupeeNumber(total),
  discount: toRupeeNumber(discount),
  commission: toRupeeNumber(commission),
  due: toRupeeNumber(due),
  held: toRupeeNumber(held),
  settled: toRupeeNumber(settled),
  balance: toRupeeNumber(balance),
})

const saleOnWire = (each: Sale): z.infer<typeof sale> => ({
  order_id: each.orderId,
  order_no: each.orderNo,
  delivered_on: each.deliveredOn,
  listed_for: each.animal.ownerName ?? null,
  invoicenumber: each.invoiceNo,
  ...amountsOf(each),
  commission_percent: each.commissionPercent,
  collected: each.collected && { method: each.collected.method, amount: toRupeeNumber(each.collected.amount) },
  settlement: each.entry && entryOnWire(each.entry),
})

function entryOnWire(entry: Settlement) {
  if (entry.kind === 'back') return null
  return { amount: toRupeeNumber(settledBy(entry)), method: entry.method, reference: entry.reference, day: entry.paidOn }
}
