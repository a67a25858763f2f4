import { createRoute, z } from '@hono/zod-openapi'
import { can } from '#src/accounts/rules.ts'
import { answer, legacy, refusals, sendPersonal, type Api } from '#src/kit/api.server.ts'
import { audit } from '#src/kit/audit.server.ts'
import { decodeCursor } from '#src/kit/pagination.ts'
import { Problem } from '#src/kit/problem.ts'
import { MAX_TOP } from '#src/listings/schemas.ts'
import { listedProduct, productInFull, productInList, wholeProduct } from '#src/listings/wire.server.ts'
import { checkForm } from './check-schema.server.ts'
import { DESK_CURSOR, deskList, listDesk } from './queries.server.ts'
import { recordVetCheck } from './record-check.server.ts'

const dropped = z.unknown().optional().openapi({ description: 'Ignored.' })
const id = z.int().positive().max(999_999_999_999_999)
const { checkedOn, comments } = checkForm.shape

const checkBody = z.strictObject({
  product: id.openapi({ description: "The listing's id." }),
  veterinary: id.optional().openapi({ description: "One's own id, or left out. Another is refused." }),
  checked_on: checkedOn.openapi({ format: 'date', description: 'YYYY-MM-DD in India: from the day it was listed until today.' }),
  is_vet_approved: z.boolean('field_check_approved_blank'),
  vet_comments: comments.openapi({ description: '1 to 1000 characters.' }),
  is_admin: dropped,
  is_staff: dropped,
  is_superuser: dropped,
  is_active: dropped,
  is_verified: dropped,
  usertype: dropped,
  status: dropped,
  createdon: dropped,
})

const productForVets = productInList
  .extend({ pickup: productInFull.shape.pickup })
  .openapi('ProductForVets', { description: 'As in lists; where it stands only for the vet who has taken it, and for admins.' })

/** Rows 32 and 33 of api.md. */
export function addHealthCalls(api: Api): void {
  legacy(
    api,
    createRoute({
      method: 'post',
      path: '/livestock-veterinary-check',
      tags: ['Vets'],
      summary: 'What a vet found',
      description: [
        'Findings are only added; the last one counts, for 30 days or until the seller describes another animal.',
        'By a vet whose registration was approved, not of his own animal, nor of one that another vet has taken. The seller is told.',
      ].join(' '),
      request: { body: { required: true, content: { 'application/json': { schema: checkBody } } } },
      responses: {
        200: answer('Saved', z.strictObject({ rows: z.literal(1) })),
        ...refusals(
          'MALFORMED',
          'TOO_LARGE',
          'UNSUPPORTED_TYPE',
          'VALIDATION',
          'IDENTITY_MISMATCH',
          'NOT_FOUND',
          'OWN_LISTING',
          'LISTING_STEP',
          'ANIMAL_HELD',
        ),
      },
    }),
    async (c) => {
      const { ctx } = c.var
      const { product, veterinary, checked_on, is_vet_approved, vet_comments } = c.req.valid('json')
      if (veterinary !== undefined && veterinary !== ctx.viewer?.id) throw new Problem('IDENTITY_MISMATCH')
      await onWire(recordVetCheck(ctx, product, { approved: is_vet_approved, comments: vet_comments, checkedOn: checked_on }))
      return sendPersonal(c, { rows: 1 as const })
    },
  )

  legacy(
    api,
    createRoute({
      method: 'get',
      path: '/vet-productlist/checkcomplete={checkcomplete}&top={top}',
      tags: ['Vets'],
      summary: "The vets' desk",
      description: [
        '`true`: animals with a finding that holds, the last one first. `false`: live ones that wait for one, the longest waiting first;',
        "those that other vets have taken, and one's own, are not in it. Livestock and pets only.",
      ].join(' '),
      request: {
        params: z.object({
          checkcomplete: z.enum(['true', 'false'], 'true or false'),
          top: z
            .string()
            .regex(/^(0|[1-9]\d?)$/, `A whole number from 0 to ${MAX_TOP}.`)
            .transform(Number)
            .refine((n) => n <= MAX_TOP, `A whole number from 0 to ${MAX_TOP}.`)
            .openapi({
              type: 'integer',
              minimum: 0,
              maximum: MAX_TOP,
              param: { required: true },
              description: `How many; 0 means ${MAX_TOP}.`,
            }),
        }),
        query: z.strictObject({ cursor: z.string().optional().openapi({ description: 'X-Next-Cursor of the page before.' }) }),
      },
      responses: {
        200: {
          ...answer('Products', z.array(productForVets)),
          headers: {
            'X-Next-Cursor': {
              description: 'Send it back as ?cursor= for the next page; missing on the last one.',
              schema: { type: 'string' as const },
            },
          },
        },
        ...refusals('VALIDATION'),
      },
    }),
    async (c) => {
      const { ctx } = c.var
      const { checkcomplete, top } = c.req.valid('param')
      const { cursor } = c.req.valid('query')
      const choices = { isComplete: checkcomplete === 'true', district: null, near: null }
      const after = decodeCursor(cursor ?? null, deskList(choices), DESK_CURSOR)
      // A program that is quietly sent back to the first page goes round for ever.
      if (cursor !== undefined && !after)
        throw new Problem('VALIDATION', { fields: [{ field: 'cursor', message: 'Not a cursor of this list.' }] })
      const { animals, next } = await listDesk(ctx, { ...choices, after, top: top || MAX_TOP })
      if (next) c.header('X-Next-Cursor', next)
      // An admin is shown where they stand: who looked is written down, once for the list.
      const shown = choices.isComplete ? 0 : animals.filter(({ product }) => product.pickup !== null).length
      if (shown > 0 && can(ctx.viewer, 'operate')) await audit(ctx, 'sensitive_read', 'listings:all', { what: 'pickup', count: shown })
      return sendPersonal(
        c,
        animals.map(({ product }) => ({
          ...listedProduct(product, ctx.locale),
          // Where a checked one stands is nobody's business any more.
          pickup: wholeProduct(ctx, choices.isComplete ? { ...product, pickup: null } : product, null).pickup,
        })),
      )
    },
  )
}

/** The command's names of fields are the form's; the wire has its own. */
async function onWire(act: Promise<void>): Promise<void> {
  try {
    await act
  } catch (error) {
    if (!(error instanceof Problem) || !error.fields) throw error
    throw new Problem(error.code, { fields: error.fields.map(({ message }) => ({ field: 'checked_on', message })) })
  }
}
