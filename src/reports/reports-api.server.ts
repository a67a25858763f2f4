import { z } from '@hono/zod-openapi'
import { answer, call, jsonBody, refusals, sendPersonal, type Api } from '#src/kit/http/api.server.ts'
import { invalidField } from '#src/kit/base/problem.ts'
import { parseInput } from '#src/kit/parse-input.ts'
import { reportInput } from './reports-schemas.ts'
import { report } from './reports.server.ts'
import { REPORT_REASONS } from './tables.ts'

const id = z.int().positive().max(999_999_999_999_999)

const body = z.strictObject({
  product: id.optional().openapi({ description: 'The id of the listing. Required without `seller`.' }),
  seller: id.optional().openapi({ description: 'The id of the seller. Required without `product`.' }),
  reason: z
    .unknown()
    .optional()
    .openapi({ type: 'string', enum: [...REPORT_REASONS] }),
  comment: z.unknown().optional().openapi({ type: 'string', description: 'At most 1000 characters. Required with `other`.' }),
})

export function addReportCalls(api: Api): void {
  call(api, 'POST /report', {
    tags: ['Market'],
    summary: 'Report a listing or a seller',
    description: 'An admin reviews it. The seller does not learn who sent it. A second report of the same subject replaces the first.',
    request: { body: jsonBody(body) },
    responses: {
      200: answer('The report is stored.', z.strictObject({ rows: z.literal(1) })),
      ...refusals('VALIDATION', 'NOT_FOUND', 'OWN_LISTING', 'OWN_SELLER'),
    },
    run: async (c) => {
      const { product, seller, reason, comment } = c.req.valid('json')
      if ((product === undefined) === (seller === undefined)) throw invalidField('product', 'Either product or seller.')
      const input = parseInput(reportInput, { reason, comment })
      await report(c.var.ctx, product === undefined ? { sellerId: seller! } : { listingId: product }, input)
      return sendPersonal(c, { rows: 1 as const })
    },
  })
}
