import { z } from '@hono/zod-openapi'
import { answer, idInPath, call, jsonBody, refusals, sendPersonal, type Api } from '#src/kit/http/api.server.ts'
import { toRupeeNumber } from '#src/kit/time-money/money.ts'
import { answerInput, answerQuestion, askSeller, listQuestions, questionInput } from './questions.server.ts'
import { QUEUE_VIEWS } from './queue-filter.ts'
import { skipListing } from './queue-marks.server.ts'
import { readQueue } from './queue.server.ts'
import { undoVerdict } from './undo-verdict.server.ts'

const done = answer('The change is stored.', z.strictObject({ rows: z.literal(1) }))
const byId = { params: z.object({ id: idInPath() }) }

const queued = z
  .strictObject({
    product: z.int(),
    version: z.int().openapi({ description: 'Increases with each change by the seller.' }),
    seen: z.string().openapi({ description: 'The state of the listing, for `seen` of `PUT update-product`.' }),
    name: z.string(),
    price: z.number(),
    submitted_date: z.iso.datetime({ precision: 3 }),
    sent_again: z.boolean(),
    new_seller: z.boolean(),
    possible_duplicate: z.boolean(),
    answered: z.boolean(),
    put_off: z.boolean(),
    open_with: z.string().nullable().openapi({ description: 'The name of another admin who has it open.' }),
  })
  .openapi('QueuedListing')

const question = z
  .strictObject({
    question: z.string(),
    asked_date: z.iso.datetime({ precision: 3 }),
    answer: z.string().nullable(),
    answered_date: z.iso.datetime({ precision: 3 }).nullable(),
  })
  .openapi('ListingQuestion')

/** The calls of the verification desk besides the verdict (selling/own/update-product-api.server.ts). */
export function addDeskCalls(api: Api): void {
  addQueueCalls(api)
  addMarkCalls(api)
  addQuestionCalls(api)
  addAnswerCalls(api)
}

function addQueueCalls(api: Api): void {
  call(api, 'GET /admin/verification-queue', {
    tags: ['Admin'],
    summary: 'List listings that await a verdict',
    description: 'Returns the first 60 of the view, longest waiting first. Listings that the caller skipped come last.',
    request: {
      query: z.strictObject({
        view: z
          .enum(QUEUE_VIEWS, 'field_wrong')
          .optional()
          .openapi({ description: '`asked`: awaits an answer of the seller; in no other view.' }),
      }),
    },
    responses: {
      200: answer('The listings for this admin.', z.strictObject({ waiting: z.int(), listings: z.array(queued) })),
      ...refusals('VALIDATION'),
    },
    run: async (c) => {
      const { view = null } = c.req.valid('query')
      const { count, listings } = await readQueue(c.var.ctx, null, { filter: { categoryId: null, district: null, view }, claims: false })
      const shown = listings.map((each) => ({
        product: each.id,
        version: each.version,
        seen: each.seen,
        name: each.name,
        price: toRupeeNumber(each.price),
        submitted_date: each.submittedAt.toISOString(),
        sent_again: each.isAgain,
        new_seller: each.isNewSeller,
        possible_duplicate: each.isDuplicate,
        answered: each.isAnswered,
        put_off: each.isSkipped,
        open_with: each.claimedBy,
      }))
      return sendPersonal(c, { waiting: count, listings: shown })
    },
  })
}

function addMarkCalls(api: Api): void {
  call(api, 'POST /admin/verification-skip/id={id}', {
    tags: ['Admin'],
    summary: 'Skip a listing in the queue',
    description: 'The listing comes last for the caller for a day.',
    request: byId,
    responses: { 200: done, ...refusals('VALIDATION', 'NOT_FOUND') },
    run: async (c) => {
      await skipListing(c.var.ctx, c.req.valid('param').id)
      return sendPersonal(c, { rows: 1 as const })
    },
  })
  call(api, 'POST /admin/verification-undo/id={id}', {
    tags: ['Admin'],
    summary: 'Undo a verdict',
    description:
      "Undoes the caller's own verdict within 15 seconds, else LISTING_STEP. VERSION if the listing was changed or bought since.",
    request: byId,
    responses: { 200: done, ...refusals('VALIDATION', 'NOT_FOUND', 'LISTING_STEP', 'VERSION') },
    run: async (c) => {
      await undoVerdict(c.var.ctx, c.req.valid('param').id)
      return sendPersonal(c, { rows: 1 as const })
    },
  })
}

function addQuestionCalls(api: Api): void {
  call(api, 'POST /admin/listing-question/id={id}', {
    tags: ['Admin'],
    summary: 'Ask the seller before the verdict',
    description: 'Sends the question by SMS. The listing leaves the queue until the seller answers, for at most three days.',
    request: { ...byId, body: jsonBody(questionInput.openapi('ListingQuestionBody')) },
    responses: { 200: done, ...refusals('VALIDATION', 'NOT_FOUND', 'OWN_LISTING', 'LISTING_STEP') },
    run: async (c) => {
      await askSeller(c.var.ctx, c.req.valid('param').id, c.req.valid('json'))
      return sendPersonal(c, { rows: 1 as const })
    },
  })
}

function addAnswerCalls(api: Api): void {
  call(api, 'GET /listing-question/id={id}', {
    tags: ['Selling'],
    summary: 'List the questions about a listing',
    description: 'For the seller of the listing and admins. Newest first.',
    request: byId,
    responses: { 200: answer('The questions.', z.array(question)), ...refusals('VALIDATION', 'NOT_FOUND') },
    run: async (c) => {
      const questions = await listQuestions(c.var.ctx, c.req.valid('param').id)
      const shown = questions.map((each) => ({
        question: each.question,
        asked_date: each.askedAt.toISOString(),
        answer: each.answer,
        answered_date: each.answeredAt?.toISOString() ?? null,
      }))
      return sendPersonal(c, shown)
    },
  })
  call(api, 'PUT /listing-question/id={id}', {
    tags: ['Selling'],
    summary: 'Answer the newest question about a listing',
    description: 'For the seller of the listing. LISTING_STEP is returned without an open question.',
    request: { ...byId, body: jsonBody(answerInput.openapi('ListingAnswerBody')) },
    responses: { 200: done, ...refusals('VALIDATION', 'NOT_FOUND', 'LISTING_STEP') },
    run: async (c) => {
      await answerQuestion(c.var.ctx, c.req.valid('param').id, c.req.valid('json'))
      return sendPersonal(c, { rows: 1 as const })
    },
  })
}
