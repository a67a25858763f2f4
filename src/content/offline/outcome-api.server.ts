import { z } from '@hono/zod-openapi'
import { requireLoggedIn } from '#src/accounts/policy.ts'
import { answer, call, refusals, sendPersonal, type Api } from '#src/kit/http/api.server.ts'
import { findOutcome, IDEMPOTENCY_KEY } from '#src/kit/records/idempotency.server.ts'
import { lockOfBuyer } from '#src/orders/checkout/place-order.server.ts'

/** The owner names under which calls store an Idempotency-Key: orders, listings, enquiries. */
const ownersOf = (userId: number) => ['', '|POST /product', '|enquiry'].map((act) => `user:${userId}${act}`)

export function addOutcomeCall(api: Api): void {
  call(api, {
    method: 'get',
    path: '/outcome',
    tags: ['Site'],
    summary: 'Did it happen?',
    description: [
      'For whoever sent something with an Idempotency-Key and got no answer. `done`: it happened; sent again with the same key it is answered as',
      'then, and happens once. `none`: nothing happened under this key. `running`: it has not ended; a write is done or given up seven seconds',
      'after it arrived. Kept for two days.',
    ].join(' '),
    request: {
      query: z.strictObject({
        key: z.string().regex(IDEMPOTENCY_KEY, 'Visible ASCII, at most 255 characters.').openapi({ description: 'The Idempotency-Key.' }),
      }),
    },
    responses: {
      200: answer('What became of it', z.strictObject({ outcome: z.enum(['done', 'running', 'none']) }).openapi('Outcome')),
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
