import { z } from '@hono/zod-openapi'
import { answer, idInPath, call, refusals, sendPersonal, type Api } from '#src/kit/http/api.server.ts'
import { CONTACT_WAYS, recordContact } from './contacts.server.ts'

export function addContactCalls(api: Api): void {
  call(api, {
    method: 'post',
    path: '/product-contact/id={id}',
    tags: ['Market'],
    summary: 'Somebody asks the seller',
    description: [
      'For a tap on Call or WhatsApp; the seller is shown how many people asked. Once per person and way.',
      'Without a body it was a call. LISTING_STEP for a listing that is sold, closed or withdrawn. Not counted, and answered alike: the seller, and whoever was not shown the number.',
    ].join(' '),
    request: {
      params: z.object({
        id: idInPath(),
      }),
      body: { required: false, content: { 'application/json': { schema: z.strictObject({ way: z.enum(CONTACT_WAYS).optional() }) } } },
    },
    responses: {
      200: answer('Done', z.strictObject({ rows: z.literal(1) })),
      ...refusals('VALIDATION', 'NOT_FOUND', 'LISTING_STEP'),
    },
    run: async (c) => {
      await recordContact(c.var.ctx, c.req.valid('param').id, c.req.valid('json').way ?? 'call')
      return sendPersonal(c, { rows: 1 as const })
    },
  })
}
