import { createRoute, z } from '@hono/zod-openapi'
import { answer, legacy, refusals, sendPersonal, type Api } from '#src/kit/api.server.ts'
import { Problem } from '#src/kit/problem.ts'
import { reviewInput } from './reviews-schemas.ts'
import { reviewSeller } from './reviews.server.ts'

const id = z.int().positive().max(999_999_999_999_999)

const body = z.strictObject({
  reviewrating: z
    .unknown()
    .optional()
    .openapi({ type: 'integer', description: '1 to 5 stars; 0, null or left out: none, then with a comment.' }),
  reviewcomment: z.unknown().optional().openapi({ type: 'string', description: 'At most 1000 characters.' }),
  seller: id.openapi({ description: "The seller's id." }),
  postedby: id.optional().openapi({ description: "One's own id, or left out." }),
  createon: z.unknown().optional().openapi({ description: 'Ignored.' }),
})

const wireNames: Record<string, string> = { stars: 'reviewrating', comment: 'reviewcomment' }

/** Row 23 of api.md. */
export function addReviewCalls(api: Api): void {
  legacy(
    api,
    createRoute({
      method: 'post',
      path: '/sellerrating',
      tags: ['Market'],
      summary: 'Review a seller',
      description: 'One review of each person; a second one takes the place of the first. Not of oneself.',
      request: { body: { required: true, content: { 'application/json': { schema: body } } } },
      responses: {
        200: answer('Done', z.strictObject({ rows: z.literal(1) })),
        ...refusals('MALFORMED', 'TOO_LARGE', 'UNSUPPORTED_TYPE', 'VALIDATION', 'IDENTITY_MISMATCH', 'NOT_FOUND', 'OWN_SELLER'),
      },
    }),
    async (c) => {
      const { ctx } = c.var
      const { reviewrating, reviewcomment, seller, postedby } = c.req.valid('json')
      if (postedby !== undefined && postedby !== ctx.viewer?.id) throw new Problem('IDENTITY_MISMATCH')
      const review = reviewInput.safeParse({ stars: reviewrating, comment: reviewcomment })
      if (!review.success) {
        const fields = review.error.issues.map(({ path, message }) => ({ field: wireNames[path.join('.')] ?? path.join('.'), message }))
        throw new Problem('VALIDATION', { fields })
      }
      await reviewSeller(ctx, seller, review.data)
      return sendPersonal(c, { rows: 1 as const })
    },
  )
}
