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
  .openapi({ description: 'A referral code, or empty.', example: 'SELVI12345', param: { required: true } })
const buyer = idInPath("The buyer's id: one's own.")

const discount = z
  .strictObject({
    discount_percent: z.int().openapi({ description: 'Of the oldest line of the cart; 0: then discount_rupees counts.' }),
    discount_rupees: z.number(),
    max_discount_rupees: z.number().openapi({ description: 'Never more than this, and never more than the line costs.' }),
    typeid: z.union([z.literal(1), z.literal(2)]).openapi({ description: '1 first order, 2 referral.' }),
    discountedamount: z.number().openapi({ description: 'What it takes off the cart as it is now, in rupees.' }),
    spent_on_less: z.boolean().openapi({
      description: 'The oldest line costs less than the right is worth, and ordering now spends the whole right on it. Say so first.',
    }),
  })
  .openapi('Discount')

const placed = z
  .strictObject({
    rows: z.int().openapi({ description: 'How many orders came out of the cart: one for each line.' }),
    orders: z.array(z.strictObject({ id: z.int(), order_no: z.string() })),
  })
  .openapi('PlacedOrders')

/** Rows 38 and 39 of api.md. */
export function addConfirmCalls(api: Api): void {
  addDiscountRead(api)
  addOrderConfirmation(api)
}

function addDiscountRead(api: Api): void {
  call(api, {
    method: 'get',
    path: '/userdiscount/buyer={buyer}&code={code}',
    tags: ['Orders'],
    summary: 'The discount one would have now',
    description: [
      'One per confirmation: the first order’s where one has a right to it, else that of the referral code.',
      'A code that is unknown, your own or used up is NOT_FOUND in each case.',
    ].join(' '),
    request: { params: z.object({ buyer, code }) },
    responses: { 200: answer('The discount', discount), ...refusals('VALIDATION', 'NOT_FOUND') },
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
  call(api, {
    method: 'put',
    path: '/confirm-order/buyer={buyer}&address={address}&code={code}',
    tags: ['Orders'],
    summary: 'Order what is in the cart',
    description: [
      'All or nothing, each line as an order of its own; prices, discount and stock are those of this moment. Nothing is paid here:',
      'cash or UPI at the door, after seeing the animal.',
      'With an Idempotency-Key the same confirmation is placed once and answered alike, however often it comes, for two days; without',
      'one, the same again within ten minutes, while the cart is empty, is answered as the first was.',
    ].join(' '),
    request: {
      params: z.object({ buyer, address: idInPath("The id of one of one's own addresses."), code }),
      headers: z.object({ 'idempotency-key': z.string().regex(IDEMPOTENCY_KEY, 'Visible ASCII, at most 255 characters.').optional() }),
    },
    responses: {
      200: answer('Ordered.', placed),
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
