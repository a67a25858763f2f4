import { z } from '@hono/zod-openapi'
import { answer, idInPath, call, jsonBody, refusals, sendPersonal, type Api } from '#src/kit/http/api.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { notFound, Problem } from '#src/kit/base/problem.ts'
import { listProductsById } from '#src/listings/queries.server.ts'
import { addToCart } from './commands.server.ts'
import { getCart } from './queries.server.ts'
import { MAX_LINES } from './rules.ts'
import { addBody, cartItem, type changeBody, done, onWire } from './wire.server.ts'

const params = z.object({ id: idInPath("The caller's own id.") })

/** Rows 34 and 35 of api.md. Calls on a line (36, 37) may concern an order: orders/checkout/order-detail-api.server.ts. */
export function addCartCalls(api: Api): void {
  addCartLine(api)
  addCartRead(api)
}

function addCartLine(api: Api): void {
  call(api, 'POST /buyercart/buyer={id}', {
    tags: ['Cart'],
    summary: 'Add an item to the cart',
    description: [
      `A cart has at most ${MAX_LINES} lines. If the listing is in the cart, its quantity is replaced, so the call`,
      'is idempotent. Nothing is reserved until the order. The header X-Cart-Lines returns the number of lines.',
    ].join(' '),
    request: { params, body: jsonBody(addBody) },
    responses: {
      200: answer('The item is in the cart.', done),
      ...refusals('VALIDATION', 'NOT_FOUND', 'IDENTITY_MISMATCH', 'OUT_OF_STOCK', 'OWN_LISTING', 'CART_FULL'),
    },
    run: async (c) => {
      const { ctx } = c.var
      const body = c.req.valid('json')
      ensureOwnCart(ctx, c.req.valid('param').id)
      ensureSelf(ctx, body)
      const lines = await addToCart(ctx, { listingId: Number(body.product), count: body.items_count })
      c.header('X-Cart-Lines', String(lines))
      return sendPersonal(c, { rows: 1 as const })
    },
  })
}

function addCartRead(api: Api): void {
  call(api, 'GET /buyercart/buyer={id}', {
    tags: ['Cart'],
    summary: 'Retrieve the cart',
    description: [
      'Oldest line first, with current prices. A line is out of stock if `product_variant[0].stock` is below `items_count`. Listings that',
      'are no longer public (withdrawn, or under verification again) are omitted; confirm-order names their lines.',
    ].join(' '),
    request: { params },
    responses: { 200: answer('The lines, or an empty list.', z.array(cartItem)), ...refusals('VALIDATION', 'NOT_FOUND') },
    run: async (c) => {
      const { ctx } = c.var
      ensureOwnCart(ctx, c.req.valid('param').id)
      const lines = await getCart(ctx)
      const ids = lines.map(({ listingId }) => listingId)
      const products = new Map((await listProductsById(ctx, ids)).map((product) => [product.id, product]))
      return sendPersonal(
        c,
        lines.flatMap((line) => {
          const product = line.state === 'gone' ? undefined : products.get(line.listingId)
          return product ? [onWire(ctx, line, product)] : []
        }),
      )
    },
  })
}

function ensureOwnCart(ctx: Ctx, id: number): void {
  if (ctx.viewer?.id !== id) throw notFound()
}

/** Refuses another person's id in any of these fields; a missing id means the viewer's. */
export function ensureSelf(ctx: Ctx, { buyer, user, seller, postedby }: z.infer<typeof changeBody>): void {
  for (const named of [buyer, user, seller, postedby])
    if (named != null && Number(named) !== ctx.viewer?.id) throw new Problem('IDENTITY_MISMATCH')
}
