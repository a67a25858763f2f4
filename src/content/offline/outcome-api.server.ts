import { z } from '@hono/zod-openapi'
import { requireLoggedIn } from '#src/accounts/policy.ts'
import { answer, call, refusals, sendPersonal, type Api } from '#src/kit/http/api.server.ts'
import { findOutcome, IDEMPOTENCY_KEY } from '#src/kit/records/idempotency.server.ts'
import { lockOfBuyer } from '#src/orders/checkout/place-order.server.ts'

/** The owner names under which calls store an Idempotency-Key: orders, listings, enquiries. */
const ownersOf = (userId: number) => ['', '|POST /product', '|enquiry'].map((act) => `user:${userId}${act}`)

export function addOutcomeCall(api: Api): void {
  call(api, 'GET /outcome', {
    tags: ['Site'],
    summary: 'Retrieve the outcome of a write',
    description: [
      'For a caller who sent a request with an Idempotency-Key and got no response. `done`: it was carried out; the',
      'same request with the same key returns the same response. `none`: nothing was carried out under this key.',
      '`running`: it has not ended; a write ends within seven seconds of its arrival. Keys expire after two days.',
    ].join(' '),
    request: {
      query: z.strictObject({
        key: z.string().regex(IDEMPOTENCY_KEY, 'Visible ASCII, at most 255 characters.').openapi({ description: 'The Idempotency-Key.' }),
      }),
    },
    responses: {
      200: answer('The outcome.', z.strictObject({ outcome: z.enum(['done', 'running', 'none']) }).openapi('Outcome')),
      ...refusals('VALIDATION'),
    },
    run: async (c) => {
      const { ctx } = c.var
      const { id } = requireLoggedIn(ctx)
      const outcome = await findOutcome(ctx, { owners: ownersOf(id), key: c.req.valid('query').key, lock: lockOfBuyer(id) })
      return sendPersonal(c, { outcome })
    },
  })
}
