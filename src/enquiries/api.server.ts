import { z } from '@hono/zod-openapi'
import { can, requireLoggedIn } from '#src/accounts/policy.ts'
import { answer, idInPath, call, refusals, sendPersonal, type Api, type ApiContext, jsonBody } from '#src/kit/http/api.server.ts'
import { audit } from '#src/kit/records/audit.server.ts'
import { IDEMPOTENCY_KEY } from '#src/kit/records/idempotency.server.ts'
import { encodeCursor } from '#src/kit/http/pagination.ts'
import { answerPage, cursorInQuery, cursorOf } from '#src/kit/http/paged-answers.server.ts'
import { Problem, type FieldProblem } from '#src/kit/base/problem.ts'
import { onAnswer } from '#src/selling/listing/new-listing.server.ts'
import { parseInput } from '#src/kit/parse-input.ts'
import { approval, closeEnquiry, judgeEnquiry, renewEnquiry } from './commands.server.ts'
import { answerWithNew, listOffers, respondToEnquiry } from './offers.server.ts'
import { getEnquiry, listOwnEnquiries, listWanted, noFilters, type WantedPage, type WantedPlace } from './queries.server.ts'
import { checkEnquiry } from './schemas.ts'
import { sendEnquiry } from './sending.server.ts'
import { enquiryOnWire, judgement, newEnquiry, onWire, typedOf, withWireName } from './wire.server.ts'

/** The maximum of api.md for both lists. */
const MAX_ENQUIRIES = 500

const enquiryId = idInPath()
const params = z.object({ id: enquiryId })
const query = z.strictObject({ cursor: cursorInQuery })
const done = z.strictObject({ rows: z.literal(1) })
const list = answerPage('The enquiries, newest first.', z.array(enquiryOnWire))

/** Rows 47 to 51 of api.md, and the other acts of their pages. */
export function addEnquiryCalls(api: Api): void {
  onAnswer(answerWithNew)
  addReading(api)
  addWriting(api)
  addAnswering(api)
}

function addReading(api: Api): void {
  call(api, 'GET /product-requirement-enquiry/id={id}', {
    tags: ['Enquiries'],
    summary: 'Retrieve an enquiry',
    description: 'Callers see verified enquiries and their own; admins see all, and each read is audited. Others return NOT_FOUND.',
    request: { params },
    responses: { 200: answer('The enquiry.', enquiryOnWire), ...refusals('VALIDATION', 'NOT_FOUND') },
    run: async (c) => {
      const { ctx } = c.var
      const enquiry = await getEnquiry(ctx, c.req.valid('param').id)
      if (can(ctx.viewer, 'operate')) await audit(ctx, 'sensitive_read', `enquiry:${enquiry.id}`, { what: 'contact' })
      return sendPersonal(c, onWire(ctx, enquiry))
    },
  })
  call(api, 'GET /product-requirement-enquiries', {
    tags: ['Enquiries'],
    summary: 'List enquiries',
    description: `Callers list verified enquiries and their own; admins list all, unverified ones first. ${MAX_ENQUIRIES} per page.`,
    request: { query },
    responses: { 200: list, ...refusals('VALIDATION') },
    run: async (c) => {
      const { ctx } = c.var
      const after = placeIn(c.req.valid('query').cursor, 'enquiries')
      const page = await listWanted(ctx, { ...noFilters, after }, MAX_ENQUIRIES)
      if (can(ctx.viewer, 'operate')) await audit(ctx, 'sensitive_read', 'enquiries:all', { what: 'contacts' })
      return sendList(c, page, 'enquiries')
    },
  })
  call(api, 'GET /user-product-requirement-enquiries', {
    tags: ['Enquiries'],
    summary: "List the caller's enquiries",
    description: `Enquiries in every state, ${MAX_ENQUIRIES} per page.`,
    request: { query },
    responses: { 200: list, ...refusals('VALIDATION') },
    run: async (c) => {
      const after = placeIn(c.req.valid('query').cursor, 'own-enquiries')
      return sendList(c, await listOwnEnquiries(c.var.ctx, after, MAX_ENQUIRIES), 'own-enquiries')
    },
  })
}

const PLACE = /^[01]:\d{1,14}$/

function placeIn(cursor: string | undefined, name: string): WantedPlace | null {
  const after = cursorOf(name, cursor, PLACE)
  if (!after) return null
  const [rank, createdMs] = after.value.split(':').map(Number)
  return { rank: rank!, createdMs: createdMs!, id: after.id }
}

function sendList(c: ApiContext, { enquiries, next }: WantedPage, name: string) {
  if (next) c.header('X-Next-Cursor', encodeCursor(name, { value: `${next.rank}:${next.createdMs}`, id: next.id }))
  return sendPersonal(
    c,
    enquiries.map((enquiry) => onWire(c.var.ctx, enquiry)),
  )
}

function addWriting(api: Api): void {
  call(api, 'POST /product-requirement-enquiries', {
    tags: ['Enquiries'],
    summary: 'Post an enquiry',
    description: 'An admin verifies an enquiry before others see it. A repeated Idempotency-Key returns the same enquiry.',
    request: {
      headers: z.object({
        'idempotency-key': z.string().regex(IDEMPOTENCY_KEY, 'Visible ASCII, 255 at most.').optional(),
      }),
      body: jsonBody(newEnquiry),
    },
    responses: {
      200: answer('The id of the enquiry.', z.strictObject({ rows: z.literal(1), id: z.int() })),
      ...refusals('VALIDATION', 'IDENTITY_MISMATCH', 'IDEMPOTENCY_MISMATCH'),
    },
    run: async (c) => {
      const { ctx } = c.var
      const body = c.req.valid('json')
      const { input, problems } = checkEnquiry(typedOf(body))
      if (!input) throw new Problem('VALIDATION', { fields: problems.map(withWireName) })
      ensureSelf(requireLoggedIn(ctx).id, body.posted_by)
      ensureSelf(requireLoggedIn(ctx).id, body.verifiedby)
      const id = await sendEnquiry(ctx, c.var.market.limits, input, c.req.valid('header')['idempotency-key']).catch(rethrowWithWireNames)
      return sendPersonal(c, { rows: 1 as const, id })
    },
  })
  call(api, 'PUT /product-requirement-enquiry/id={id}', {
    tags: ['Enquiries'],
    summary: 'Approve or refuse an enquiry',
    description: 'For admins, except on their own. Other fields than `isverified` and `verificationcomment` are ignored.',
    request: { params, body: jsonBody(judgement) },
    responses: {
      200: answer('The change is stored.', done),
      ...refusals('VALIDATION', 'NOT_FOUND', 'IDENTITY_MISMATCH', 'OWN_ENQUIRY', 'ENQUIRY_STEP'),
    },
    run: async (c) => {
      const { ctx } = c.var
      const { isverified, verificationcomment, verifiedby } = c.req.valid('json')
      ensureSelf(requireLoggedIn(ctx).id, verifiedby)
      const said = { passed: Boolean(isverified), comment: verificationcomment ?? '' }
      await judgeEnquiry(ctx, c.req.valid('param').id, parseInput(approval, said, { comment: 'verificationcomment' }))
      return sendPersonal(c, { rows: 1 as const })
    },
  })
}

function ensureSelf(viewerId: number, named: number | null | undefined): void {
  if (named !== null && named !== undefined && named !== viewerId) throw new Problem('IDENTITY_MISMATCH')
}

function rethrowWithWireNames(error: unknown): never {
  if (error instanceof Problem && error.code === 'VALIDATION')
    throw new Problem('VALIDATION', { fields: (error.fields ?? []).map((field: FieldProblem) => withWireName(field)) })
  throw error
}

/** Answers with an animal: the specification has screens for it, but no call. */
function addAnswering(api: Api): void {
  call(api, 'POST /enquiry-response/id={id}', {
    tags: ['Enquiries'],
    summary: 'Offer a listing in response to an enquiry',
    description: [
      "Offers one of the caller's listings. It must fit the enquiry and be for sale",
      'or await verification. The poster is notified when it is public. Idempotent.',
    ].join(' '),
    request: { params, body: jsonBody(z.strictObject({ product: z.int().positive().max(999_999_999_999_999) })) },
    responses: { 200: answer('The change is stored.', done), ...refusals('VALIDATION', 'NOT_FOUND', 'OWN_ENQUIRY', 'ENQUIRY_STEP') },
    run: async (c) => {
      const { product } = c.req.valid('json')
      await respondToEnquiry(c.var.ctx, c.req.valid('param').id, product).catch(nameProduct)
      return sendPersonal(c, { rows: 1 as const })
    },
  })
  call(api, 'GET /enquiry-response/id={id}', {
    tags: ['Enquiries'],
    summary: 'List the listings offered for an enquiry',
    description: 'For the poster and admins. Returns at most twelve public listings, best fit first. Read each with product/id.',
    request: { params },
    responses: { 200: answer('The listings.', z.array(z.strictObject({ product: z.int() }))), ...refusals('VALIDATION', 'NOT_FOUND') },
    run: async (c) => {
      const { shown } = await listOffers(c.var.ctx, c.req.valid('param').id)
      return sendPersonal(
        c,
        shown.map(({ card }) => ({ product: card.id })),
      )
    },
  })
  call(api, 'POST /enquiry-step/id={id}', {
    tags: ['Enquiries'],
    summary: 'Close or renew an enquiry',
    description: 'The poster may close or renew it; admins may close it. A renewed enquiry expires after 90 days.',
    request: { params, body: jsonBody(z.strictObject({ step: z.enum(['close', 'renew'], 'close or renew') })) },
    responses: { 200: answer('The change is stored.', done), ...refusals('VALIDATION', 'ROLE_FORBIDDEN', 'NOT_FOUND', 'ENQUIRY_STEP') },
    run: async (c) => {
      const { id } = c.req.valid('param')
      await (c.req.valid('json').step === 'close' ? closeEnquiry(c.var.ctx, id) : renewEnquiry(c.var.ctx, id))
      return sendPersonal(c, { rows: 1 as const })
    },
  })
}

function nameProduct(error: unknown): never {
  if (error instanceof Problem && error.fields) {
    const fields = error.fields.map(({ field, message }) => ({ field: field === 'listing' ? 'product' : field, message }))
    throw new Problem(error.code, { fields })
  }
  throw error
}
