import { z } from '@hono/zod-openapi'
import { anyPassword } from '#src/accounts/schemas.ts'
import { getInvoice } from '#src/invoices/queries.server.ts'
import { settledAmount, settledDay, settledMethod, settledReference, settlementNote } from '#src/invoices/schemas.server.ts'
import { answer, call, idInPath, jsonBody, refusals, sendPersonal, type Api } from '#src/kit/http/api.server.ts'
import { getOrder } from '#src/orders/queries.server.ts'
import { settleSales } from './settle.server.ts'

/** Settles one sale, as the page of its seller does. */
export function addSettlementCall(api: Api): void {
  call(api, {
    method: 'post',
    path: '/settlement/orderid={orderId}',
    tags: ['Admin'],
    summary: 'Record what the seller was paid',
    description:
      "Less the commission and what the seller holds; when the seller holds more than is due, what the seller paid. The seller is notified. A wrong entry is corrected by a further one, which names the entry it has `seen`. Another amount than is due needs a note and the admin's own password.",
    request: {
      params: z.object({ orderId: idInPath() }),
      body: jsonBody(
        z.strictObject({
          amount: settledAmount.openapi({ type: 'number', description: 'Rupees, not more than the items cost.' }),
          method: settledMethod,
          reference: settledReference.openapi({ type: 'string', description: 'Of the transfer or the slip: 1 to 80 characters.' }),
          day: settledDay.openapi({ format: 'date', description: 'From the delivery until today.' }),
          seen: z.int().min(0).default(0).openapi({ description: 'The id of the last entry, 0 before the first.' }),
          note: settlementNote.default(''),
          password: anyPassword.optional(),
        }),
      ),
    },
    responses: {
      200: answer('The entry', z.strictObject({ rows: z.literal(1), id: z.int() })),
      ...refusals('VALIDATION', 'NOT_FOUND', 'VERSION', 'PASSWORD_WRONG'),
    },
    run: async (c) => {
      const { ctx } = c.var
      const { orderId } = c.req.valid('param')
      const { day, amount, seen, ...payment } = c.req.valid('json')
      const { sellerId } = await getOrder(ctx, orderId)
      await settleSales(ctx, sellerId, { ...payment, paidOn: day, sales: [{ orderId, amount, seen }] })
      const { settlement } = await getInvoice(ctx, orderId, 'commission')
      return sendPersonal(c, { rows: 1 as const, id: settlement!.id })
    },
  })
}
