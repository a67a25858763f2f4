import { z } from '@hono/zod-openapi'
import { answer, call, jsonBody, limited, refusals, sendPersonal, type Api } from '#src/kit/http/api.server.ts'
import { canSendEmail } from '#src/kit/base/env.server.ts'
import { requestNewsletter } from './commands.server.ts'
import { newsletterRequest } from './schemas.ts'

const { email, consent } = newsletterRequest.shape
/** The pattern needs a flag that JSON Schema has no place for. */
const body = z.strictObject({ email: email.openapi({ type: 'string', format: 'email', pattern: undefined }), consent })

export function addNewsletterCalls(api: Api): void {
  call(api, 'POST /newsletter', {
    tags: ['Site'],
    summary: 'Subscribe to the newsletter',
    description: [
      'Sends an e-mail with a confirmation link, in the language of the request. The response is the same for new, unconfirmed',
      'and subscribed addresses. At most three requests a day from one IP address; requests refused with VALIDATION do not count.',
    ].join(' '),
    middleware: [limited('ownRead')] as const,
    request: { body: jsonBody(body) },
    responses: {
      200: answer('The request was accepted.', z.strictObject({ rows: z.literal(1) })),
      ...refusals('VALIDATION'),
    },
    run: async (c) => {
      const { env, limits } = c.var.market
      // After the validation, so that a typing error does not use up one of a person's few tries. The limit above stops a flood of errors.
      await limits.takeDurable(c.var.ctx.db, 'newsletter', c.var.address)
      await requestNewsletter(c.var.ctx, c.req.valid('json'), { secret: env.secret, canSendEmail: canSendEmail(env) })
      return sendPersonal(c, { rows: 1 as const })
    },
  })
}
