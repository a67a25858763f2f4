import { z } from '@hono/zod-openapi'
import { answer, idInPath, call, jsonBody, refusals, sendPersonal, type Api } from '#src/kit/http/api.server.ts'
import { Problem } from '#src/kit/base/problem.ts'
import type { SellerReview } from '#src/listings/browse/reviews-rows.server.ts'
import { parseInput } from '#src/kit/parse-input.ts'
import { answerInput, reviewInput } from './reviews-schemas.ts'
import { answerReview, reviewSeller } from './reviews.server.ts'
import { getSeller, MAX_REVIEWS } from './seller.server.ts'

const id = z.int().positive().max(999_999_999_999_999)

const body = z.strictObject({
  reviewrating: z
    .unknown()
    .optional()
    .openapi({ type: 'integer', description: '1 to 5 stars. 0, null or omitted: none; a comment is then required.' }),
  reviewcomment: z.unknown().optional().openapi({ type: 'string', description: 'At most 1000 characters.' }),
  seller: id.openapi({ description: "The seller's id." }),
  postedby: id.optional().openapi({ description: "The caller's own id. Optional." }),
  createon: z.unknown().optional().openapi({ description: 'Ignored.' }),
})

const wireNames: Record<string, string> = { stars: 'reviewrating', comment: 'reviewcomment' }

/** Row 23 of api.md. */
export function addReviewCalls(api: Api): void {
  call(api, 'POST /sellerrating', {
    tags: ['Market'],
    summary: 'Review a seller',
    description: 'Any caller may review another person. At most five a day. A second review of the same seller replaces the first.',
    request: { body: jsonBody(body) },
    responses: {
      200: answer('The review is stored.', z.strictObject({ rows: z.literal(1) })),
      ...refusals('VALIDATION', 'IDENTITY_MISMATCH', 'NOT_FOUND', 'OWN_SELLER'),
    },
    run: async (c) => {
      const { ctx } = c.var
      const { reviewrating, reviewcomment, seller, postedby } = c.req.valid('json')
      if (postedby !== undefined && postedby !== ctx.viewer?.id) throw new Problem('IDENTITY_MISMATCH')
      const input = parseInput(reviewInput, { stars: reviewrating, comment: reviewcomment }, wireNames)
      await reviewSeller(ctx, seller, input, c.var.address)
      return sendPersonal(c, { rows: 1 as const })
    },
  })
}

const review = z
  .strictObject({
    id: z.int(),
    seller: id.openapi({ description: "The seller's id." }),
    postedby: id.openapi({ description: "The author's id." }),
    author: z.string().nullable().openapi({ description: 'The first name. Null if the account was deleted.' }),
    reviewrating: z.int().nullable(),
    reviewcomment: z.string(),
    createon: z.iso.datetime({ precision: 3 }),
    answer: z.string().nullable().openapi({ description: 'The answer of the seller.' }),
    bought_here: z.boolean(),
    spoke_here: z.boolean().openapi({ description: 'True if the author contacted the seller through a listing.' }),
    listed_for: z.string().nullable().openapi({
      description: 'The owner for whom the seller, an agent, listed the animal that the author bought; else null.',
    }),
  })
  .openapi('SellerReview')

const reviewOnWire =
  (seller: number) =>
  ({ id, authorId, author, stars, comment, at, answer, isBoughtHere, hasSpoken, listed }: SellerReview): z.infer<typeof review> => ({
    id,
    seller,
    postedby: authorId,
    author,
    reviewrating: stars,
    reviewcomment: comment,
    createon: at.toISOString(),
    answer,
    bought_here: isBoughtHere,
    spoke_here: hasSpoken,
    listed_for: listed?.owner ?? null,
  })

/** Calls that read reviews, and the seller's answer. */
export function addReviewReadingCalls(api: Api): void {
  call(api, 'GET /sellerrating/seller={seller}', {
    tags: ['Market'],
    summary: 'List the reviews of a seller',
    description: `Newest first, at most ${MAX_REVIEWS}.`,
    request: { params: z.object({ seller: idInPath() }) },
    responses: { 200: answer('The reviews.', z.array(review)), ...refusals('VALIDATION', 'NOT_FOUND') },
    run: async (c) => {
      const seller = await getSeller(c.var.ctx, c.req.valid('param').seller)
      return sendPersonal(c, seller.reviews.map(reviewOnWire(seller.id)))
    },
  })
  call(api, 'PUT /sellerrating-answer/id={id}', {
    tags: ['Market'],
    summary: 'Answer a review',
    description: 'For the reviewed seller. One answer for each version of the review.',
    request: {
      params: z.object({ id: idInPath("The review's id.") }),
      body: jsonBody(
        z.strictObject({
          answer: z.unknown().optional().openapi({ type: 'string', description: '1 to 1000 characters.' }),
        }),
      ),
    },
    responses: { 200: answer('Stored.', z.strictObject({ rows: z.literal(1) })), ...refusals('VALIDATION', 'NOT_FOUND') },
    run: async (c) => {
      const { answer } = parseInput(answerInput, { answer: c.req.valid('json').answer ?? '' })
      await answerReview(c.var.ctx, c.req.valid('param').id, answer)
      return sendPersonal(c, { rows: 1 as const })
    },
  })
}
