import { z } from '@hono/zod-openapi'
import { getCart } from '#src/cart/queries.server.ts'
import { discountOn, wastedOn } from '#src/cart/rules.ts'
import { answer, idInPath, call, refusals, sendPersonal, type Api } from '#src/kit/http/api.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { IDEMPOTENCY_KEY } from '#src/kit/records/idempotency.server.ts'
import { toRupeeNumber } from '#src/kit/time-money/money.ts'
import { notFound } from '#src/kit/base/problem.ts'
import { findDiscount } from './discounts.server.ts'
import { placeOrder } from './place-order.server.ts'

const code = z
  .string()
  .regex(/^([A-Za-z0-9]{10})?$/, 'Ten letters or digits, or nothing.')
  .openapi({ description: 'A referral code, or an empty value.', example: 'SELVI12345', param: { required: true } })
const buyer = idInPath("The caller's own id.")

const discount = z
  .strictObject({
    discount_percent: z.int().openapi({ description: 'Percent of the oldest line of the cart. If 0, discount_rupees applies.' }),
    discount_rupees: z.number(),
    max_discount_rupees: z.number().openapi({ description: 'The maximum. The discount also never exceeds the price of the line.' }),
    typeid: z.union([z.literal(1), z.literal(2)]).openapi({ description: '1: first order. 2: referral.' }),
    discountedamount: z.number().openapi({ description: 'The discount on the present cart, in rupees.' }),
    spent_on_less: z.boolean().openapi({
      description: 'True if the oldest line costs less than the discount, so that an order uses up the whole discount. Warn the buyer.',
    }),
  })
  .openapi('Discount')

const placed = z
  .strictObject({
    rows: z.int().openapi({ description: 'The number of orders, one for each cart line.' }),
    orders: z.array(z.strictObject({ id: z.int(), order_no: z.string() })),
  })
  .openapi('PlacedOrders')

/** Rows 38 and 39 of api.md. */
export function addConfirmCalls(api: Api): void {
  addDiscountRead(api)
  addOrderConfirmation(api)
}

function addDiscountRead(api: Api): void {
  call(api, 'GET /userdiscount/buyer={buyer}&code={code}', {
    tags: ['Orders'],
    summary: 'Retrieve the current discount',
    description: [
      'Each confirmation uses one discount: that of the first order if the caller is entitled to it, else that of the',
      'referral code. NOT_FOUND is returned without a discount, and for a code that is unknown, used up or the caller’s own.',
    ].join(' '),
    request: { params: z.object({ buyer, code }) },
    responses: { 200: answer('The discount.', discount), ...refusals('VALIDATION', 'NOT_FOUND') },
    run: async (c) => {
      const { ctx } = c.var
      const { buyer, code } = c.req.valid('param')
      ensureOwn(ctx, buyer)
      const { offer: found } = await findDiscount(ctx, code)
      if (!found) throw notFound()
      const [first] = (await getCart(ctx)).filter(({ state }) => state === 'ok')
      return sendPersonal(c, {
        discount_percent: found.percent,
        discount_rupees: toRupeeNumber(found.flat),
        max_discount_rupees: toRupeeNumber(found.cap),
        typeid: found.typeId,
        discountedamount: toRupeeNumber(discountOn(first, found)),
        spent_on_less: wastedOn(first, found) !== null,
      })
    },
  })
}

function addOrderConfirmation(api: Api): void {
  call(api, 'PUT /confirm-order/buyer={buyer}&address={address}&code={code}', {
    tags: ['Orders'],
    summary: 'Place the orders of the cart',
    description: [
      'Places one order for each cart line, all or none, at current prices, discount and stock. Payment',
      'is at the door, by cash or UPI. With an Idempotency-Key, a repeated confirmation returns the first',
      'response for two days. Without one, a repetition within ten minutes returns it while the cart is empty.',
    ].join(' '),
    request: {
      params: z.object({ buyer, address: idInPath("The id of one of the caller's addresses."), code }),
      headers: z.object({ 'idempotency-key': z.string().regex(IDEMPOTENCY_KEY, 'Visible ASCII, at most 255 characters.').optional() }),
    },
    responses: {
      200: answer('The orders.', placed),
      ...refusals('VALIDATION', 'NOT_FOUND', 'CART_EMPTY', 'STOCK_CHANGED', 'NOT_DELIVERABLE', 'IDEMPOTENCY_MISMATCH'),
    },
    run: async (c) => {
      const { ctx } = c.var
      const { buyer, address, code } = c.req.valid('param')
      ensureOwn(ctx, buyer)
      const key = c.req.valid('header')['idempotency-key']
      const { orders } = await placeOrder(ctx, { addressId: address, code, ...(key !== undefined && { key }) })
      return sendPersonal(c, { rows: orders.length, orders: orders.map(({ id, orderNo }) => ({ id, order_no: orderNo })) })
    },
  })
}

function ensureOwn(ctx: Ctx, buyer: number): void {
  if (ctx.viewer?.id !== buyer) throw notFound()
}
