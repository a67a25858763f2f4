import { z } from '@hono/zod-openapi'
import { leftTo } from '#src/kit/text/text.ts'
import { can, requireLoggedIn } from '#src/accounts/policy.ts'
import { answer, idInPath, call, jsonBody, refusals, sendPersonal, wholeInPath, type Api } from '#src/kit/http/api.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { encodeCursor } from '#src/kit/http/pagination.ts'
import { answerPage, cursorInQuery, cursorOf } from '#src/kit/http/paged-answers.server.ts'
import { notFound, Problem, invalidField } from '#src/kit/base/problem.ts'
import { MAX_TOP } from '#src/listings/browse/schemas.ts'
import { ensurePart, listOrders, noFilters } from '../queries.server.ts'
import { CANCELLED, CONFIRMED, DELIVERED, NOT_AVAILABLE, orderStatuses, REFUSED, steps } from '../process.server.ts'
import type { Payment } from '../rules.ts'
import { closeOrder, statePayment } from './closing.server.ts'
import { amountPaid, doorCode, noteText, paymentMethod, reasonText } from './handover-schemas.server.ts'
import { takeStep } from './take-step.server.ts'
import { onWire, orderOnWire, orderStatusList, statusesOnWire } from './wire.server.ts'

const orderId = idInPath()
const done = z.strictObject({ rows: z.literal(1) })
const isStatus = (id: number) => orderStatuses.some((status) => status.id === id)

const from = z.int('field_wrong').optional().openapi({
  description: 'The status that the caller saw. VERSION is returned if it has changed. Omit to accept any status.',
})

const stepBody = z.strictObject({
  status: z
    .union([z.literal(CONFIRMED), z.literal(DELIVERED), z.literal(REFUSED), z.literal(NOT_AVAILABLE)], '2, 6, 101 or 102')
    .openapi({ type: 'integer', description: 'The new status: 2, 6, 101 or 102, ids of order-status.' }),
  from,
  reason: reasonText.optional().openapi({ type: 'string', description: 'The reason. Required with status 101.' }),
  code: doorCode.optional().openapi({ type: 'string', description: "With status 6, from the bearer: the buyer's four digits." }),
  note: noteText
    .optional()
    .openapi({ type: 'string', description: 'With status 6, from an admin without the digits: the evidence. Stored permanently.' }),
  payment_method: paymentMethod
    .optional()
    .openapi({ description: 'With status 6, together with amount_paid. Omit both to record no payment.' }),
  amount_paid: amountPaid.optional().openapi({
    type: 'number',
    description: 'With status 6: rupees, at most the payable amount rounded up. Only an admin with a note may state less.',
  }),
})

/** The status seen, and the payment that an admin may state with status 6. The specification's empty body states neither. */
const paymentBody = z
  .strictObject({
    from,
    method: paymentMethod.optional().openapi({ description: 'The payment method at the door.' }),
    amount: amountPaid.optional().openapi({ type: 'number', description: 'Rupees, with the limits of amount_paid in order-step.' }),
    note: noteText.optional().openapi({ type: 'string', description: 'The evidence. Stored permanently.' }),
  })
  .openapi('StatedPayment', { description: 'method, amount and note are sent together, and only with status 6.' })

function sentencesOf(chosen: typeof steps): string {
  return chosen.map(({ from, to, sentence }) => `${from.join(', ')} → ${to}: ${sentence}`).join(' ')
}

/** Rows 40 to 42 of api.md, and the steps of sellers, buyers and bearers. */
export function addOrderCalls(api: Api): void {
  addList(api)
  addStatusNames(api)
  addStatusChange(api)
  addOrderStep(api)
}

function addStatusNames(api: Api): void {
  call(api, 'GET /order-status', {
    tags: ['Orders'],
    summary: 'List the order statuses',
    description: 'Returns all statuses of an order. Status 0 of a cart line is not included.',
    responses: { 200: answer('The statuses.', orderStatusList), ...refusals() },
    run: async (c) => sendPersonal(c, statusesOnWire(c.var.ctx.locale)),
  })
}

const stepRefusals = [
  'MALFORMED',
  'TOO_LARGE',
  'UNSUPPORTED_TYPE',
  'VALIDATION',
  'ROLE_FORBIDDEN',
  'NOT_FOUND',
  'VERSION',
  'ORDER_STEP',
  'ORDER_TERMINAL',
] as const

function addStatusChange(api: Api): void {
  call(api, 'PUT /order-detail-status/id={orderId}/{statusId}', {
    tags: ['Orders'],
    summary: 'Change the status of an order',
    description: [
      `Admins may take every step; the buyer may only cancel. Steps by status: ${sentencesOf(steps)} Any other`,
      'step returns ORDER_STEP, or ORDER_TERMINAL after 6, 100, 101 and 102. Status 6 without a body records',
      'no payment: payment_method and amount_paid stay null until an admin sends them in the body of this call.',
    ].join(' '),
    request: {
      params: z.object({
        orderId,
        statusId: wholeInPath(/^[1-9]\d{0,2}$/, 'An id of order-status.', { minimum: 1 }).refine(isStatus, 'An id of order-status.'),
      }),
      body: { required: false, content: { 'application/json': { schema: paymentBody } } },
    },
    responses: {
      200: answer('The status was changed.', done),
      ...refusals(...stepRefusals),
    },
    run: async (c) => {
      const { ctx } = c.var
      const { orderId, statusId } = c.req.valid('param')
      if (statusId !== CANCELLED && !can(ctx.viewer, 'operate')) {
        await ensurePart(ctx, orderId)
        throw new Problem('ROLE_FORBIDDEN')
      }
      const { from, ...payment } = c.req.valid('json')
      const stated = statedPayment(payment, statusId)
      if (stated) await statePayment(ctx, orderId, { ...stated, from }, 'amount')
      else await takeStep(ctx, orderId, { to: statusId, from })
      return sendPersonal(c, { rows: 1 as const })
    },
  })
}

function addOrderStep(api: Api): void {
  call(api, 'POST /order-step/id={orderId}', {
    tags: ['Orders'],
    summary: 'Take a step as seller, buyer or bearer',
    description: `${sentencesOf(steps.filter(({ to, by }) => by[0] !== 'admin' && to !== CANCELLED))} Five wrong codes return HANDOVER_LOCKED.`,
    request: { params: z.object({ orderId }), body: jsonBody(stepBody) },
    responses: {
      200: answer('The status was changed.', done),
      ...refusals(...stepRefusals, 'HANDOVER_CODE_WRONG', 'HANDOVER_LOCKED'),
    },
    run: async (c) => {
      await step(c.var.ctx, c.req.valid('param').orderId, c.req.valid('json'))
      return sendPersonal(c, { rows: 1 as const })
    },
  })
}

async function step(ctx: Ctx, orderId: number, body: z.infer<typeof stepBody>): Promise<void> {
  const { status, from, reason, code, note, payment_method, amount_paid } = body
  if (status === REFUSED && !reason) throw missing('reason')
  // The bearer must send the digits. An admin sends the digits, or a note that says how the delivery is known.
  const isProved = code || (can(ctx.viewer, 'operate') && note)
  if (status === DELIVERED && !isProved) throw missing(can(ctx.viewer, 'operate') ? 'note' : 'code')
  const noteAndCode = { ...(note && { note }), ...(code && { code }) }
  if (status !== DELIVERED) return takeStep(ctx, orderId, { to: status, from, ...(reason && { reason }), ...noteAndCode })
  if (amount_paid !== undefined && !payment_method) throw invalidField('payment_method', 'field_order_method')
  if (payment_method && amount_paid === undefined) throw invalidField('amount_paid', 'field_order_amount')
  const payment = payment_method && amount_paid !== undefined && { method: payment_method, amount: amount_paid }
  await closeOrder(ctx, orderId, { from, ...noteAndCode, ...(payment && { payment }) }, 'amount_paid')
}

/** Method and amount come together or not at all, and only with status 6. */
function statedPayment(
  { method, amount, note }: Omit<z.infer<typeof paymentBody>, 'from'>,
  statusId: number,
): { payment: Payment; note: string } | null {
  if (method === undefined && amount === undefined && note === undefined) return null
  const fields = [
    ...(statusId === DELIVERED ? [] : [{ field: 'statusId', message: 'field_wrong' }]),
    ...(method === undefined ? [{ field: 'method', message: 'field_order_method' }] : []),
    ...(amount === undefined ? [{ field: 'amount', message: 'field_order_amount' }] : []),
    ...(note === undefined ? [{ field: 'note', message: 'field_order_note' }] : []),
  ]
  if (fields.length > 0) throw new Problem('VALIDATION', { fields })
  return { payment: { method: method!, amount: amount! }, note: note! }
}

const missing = (field: string) => invalidField(field, `field_order_${field}`)

function addList(api: Api): void {
  call(api, 'GET /order/buyer={id}&type={type}', {
    tags: ['Orders'],
    summary: "List a buyer's orders",
    description: `Newest first, ${MAX_TOP} per page. Buyers list their own. Admins list any buyer's, or all with 0 or their own id.`,
    request: {
      params: z.object({
        id: wholeInPath(/^(0|[1-9]\d{0,14})$/, 'A whole number in plain digits.', { minimum: 0 }).openapi({
          description: "The buyer's id.",
        }),
        type: leftTo('nobody', z.string().max(20).openapi({ description: 'Ignored.' })),
      }),
      query: z.strictObject({ cursor: cursorInQuery }),
    },
    responses: {
      200: answerPage('The orders.', z.array(orderOnWire)),
      ...refusals('VALIDATION', 'NOT_FOUND'),
    },
    run: async (c) => {
      const { ctx } = c.var
      const { id } = c.req.valid('param')
      const { cursor } = c.req.valid('query')
      const isEverybody = can(ctx.viewer, 'operate') && (id === 0 || id === requireLoggedIn(ctx).id)
      if (id === 0 && !isEverybody) throw notFound()
      const list = `orders.${isEverybody ? 0 : id}`
      const after = cursorOf(list, cursor, /^id$/)
      const page = await listOrders(ctx, { ...noFilters, buyerId: isEverybody ? null : id, afterId: after?.id ?? null }, MAX_TOP)
      if (page.nextAfterId !== null) c.header('X-Next-Cursor', encodeCursor(list, { value: 'id', id: page.nextAfterId }))
      return sendPersonal(
        c,
        page.orders.map((order) => onWire(ctx, order)),
      )
    },
  })
}
