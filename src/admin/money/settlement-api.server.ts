import { z } from '@hono/zod-openapi'
import { anyPassword } from '#src/accounts/schemas.ts'
import { getInvoice } from '#src/invoices/queries.server.ts'
import { settledAmount, settledDay, settledMethod, settledReference, settlementNote } from '#src/invoices/schemas.server.ts'
import { answer, call, idInPath, jsonBody, refusals, sendPersonal, type Api } from '#src/kit/http/api.server.ts'
import { getOrder } from '#src/orders/queries.server.ts'
import { settleSales } from './settle.server.ts'

/** Settles one sale, as the page of its seller does. */
export function addSettlementCall(api: Api): void {
  call(api, 'POST /settlement/orderid={orderId}', {
    tags: ['Admin'],
    summary: 'Record the settlement of a sale',
    description: [
      'Records the payment to the seller: the price less the commission and the cash that the seller holds. If the seller',
      'holds more than is due, it records the payment by the seller. The seller is notified. A further entry corrects',
      "a wrong one; `seen` names the corrected entry. An amount other than the one due requires a note and the admin's own password.",
    ].join(' '),
    request: {
      params: z.object({ orderId: idInPath() }),
      body: jsonBody(
        z.strictObject({
          amount: settledAmount.openapi({ type: 'number', description: 'Rupees, at most the price of the items.' }),
          method: settledMethod,
          reference: settledReference.openapi({
            type: 'string',
            description: 'The reference of the transfer or slip, 1 to 80 characters.',
          }),
          day: settledDay.openapi({ format: 'date', description: 'The day of payment, from the delivery to today.' }),
          seen: z.int().min(0).default(0).openapi({ description: 'The id of the last entry, or 0 without one.' }),
          note: settlementNote.default(''),
          password: anyPassword.optional(),
        }),
      ),
    },
    responses: {
      200: answer('The id of the entry.', z.strictObject({ rows: z.literal(1), id: z.int() })),
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
