import { z } from '@hono/zod-openapi'
import { answer, idInPath, call, refusals, sendPersonal, type Api } from '#src/kit/http/api.server.ts'
import { CONTACT_WAYS, recordContact } from './contacts.server.ts'

export function addContactCalls(api: Api): void {
  call(api, 'POST /product-contact/id={id}', {
    tags: ['Market'],
    summary: 'Record a contact with the seller',
    description: [
      'Records a tap on Call or WhatsApp, once per person and way; the seller sees how many people asked.',
      'Without a body, the way is `call`. LISTING_STEP is returned for a sold or closed listing. Taps by',
      'the seller, by admins and by people who were not shown the number return 200 and are not counted.',
    ].join(' '),
    request: {
      params: z.object({
        id: idInPath(),
      }),
      body: { required: false, content: { 'application/json': { schema: z.strictObject({ way: z.enum(CONTACT_WAYS).optional() }) } } },
    },
    responses: {
      200: answer('The contact was recorded.', z.strictObject({ rows: z.literal(1) })),
      ...refusals('VALIDATION', 'NOT_FOUND', 'LISTING_STEP'),
    },
    run: async (c) => {
      await recordContact(c.var.ctx, c.req.valid('param').id, c.req.valid('json').way ?? 'call')
      return sendPersonal(c, { rows: 1 as const })
    },
  })
}
