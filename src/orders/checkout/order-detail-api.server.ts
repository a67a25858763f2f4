import { z } from '@hono/zod-openapi'
import { ensureSelf } from '#src/cart/api.server.ts'
import { removeLine, setCount } from '#src/cart/commands.server.ts'
import { changeBody, done } from '#src/cart/wire.server.ts'
import { answer, idInPath, call, jsonBody, refusals, sendPersonal, type Api } from '#src/kit/http/api.server.ts'
import { toCartLine } from '#src/orders/checkout/placed-line.server.ts'

const params = z.object({ id: idInPath('The id of the line.') })

/** Rows 36 and 37 of api.md: a line of the viewer's cart, which may have become an order with the same number. */
export function addOrderDetailCalls(api: Api): void {
  call(api, 'PUT /order-detail/id={id}', {
    tags: ['Cart'],
    summary: 'Change the quantity of a cart line',
    description: 'Changes a line of the caller’s cart. ORDER_PLACED is returned once the line is ordered.',
    request: { params, body: jsonBody(changeBody) },
    responses: {
      200: answer('The quantity was changed.', done),
      ...refusals('VALIDATION', 'NOT_FOUND', 'IDENTITY_MISMATCH', 'OUT_OF_STOCK', 'ORDER_PLACED'),
    },
    run: async (c) => {
      const { ctx } = c.var
      const { id } = c.req.valid('param')
      const body = c.req.valid('json')
      ensureSelf(ctx, body)
      await toCartLine(ctx, id, () => setCount(ctx, id, body.items_count))
      return sendPersonal(c, { rows: 1 as const })
    },
  })

  call(api, 'DELETE /order-detail/id={id}', {
    tags: ['Cart'],
    summary: 'Remove a cart line',
    description: 'Removes a line of the caller’s cart. ORDER_PLACED is returned once it is ordered; cancel the order instead.',
    request: { params },
    responses: { 200: answer('The line was removed.', done), ...refusals('VALIDATION', 'NOT_FOUND', 'ORDER_PLACED') },
    run: async (c) => {
      const { ctx } = c.var
      const { id } = c.req.valid('param')
      await toCartLine(ctx, id, () => removeLine(ctx, id))
      return sendPersonal(c, { rows: 1 as const })
    },
  })
}
