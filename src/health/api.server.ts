import { z } from '@hono/zod-openapi'
import { can } from '#src/accounts/policy.ts'
import {
  answer,
  countInPath,
  idInPath,
  call,
  jsonBody,
  refusals,
  sendPersonal,
  type Api,
  multipart,
  multipartForm,
} from '#src/kit/http/api.server.ts'
import { audit } from '#src/kit/records/audit.server.ts'
import { answerPage, cursorInQuery, cursorOf } from '#src/kit/http/paged-answers.server.ts'
import { Problem } from '#src/kit/base/problem.ts'
import { FINDINGS } from '#src/listings/tables.ts'
import { MAX_TOP } from '#src/listings/browse/schemas.ts'
import { listedProduct, productInFull, productInList, wholeProduct } from '#src/listings/calls/wire.server.ts'
import { filesIn } from '#src/selling/photos/uploads.server.ts'
import { addCheckPhoto } from './check-photos.server.ts'
import { checkForm } from './check-schema.server.ts'
import { giveBack, takeAnimal } from './holds.server.ts'
import { DESK_CURSOR, deskList, listDesk } from './queries.server.ts'
import { recordVetCheck } from './record-check.server.ts'
import { BODY_CONDITIONS } from './rules.ts'
import { dropped, droppedFlags } from '#src/kit/http/dropped-fields.ts'

const id = z.int().positive().max(999_999_999_999_999)
const { checkedOn, comments } = checkForm.shape
const finding = z.enum(FINDINGS, 'field_wrong').nullable().optional().openapi({ description: 'Omit if not examined.' })

const checkBody = z.strictObject({
  product: id.openapi({ description: "The listing's id." }),
  veterinary: id.optional().openapi({ description: "The caller's own id. Optional." }),
  checked_on: checkedOn.openapi({ format: 'date', description: 'The day in India, from the listing to today.' }),
  is_vet_approved: z.boolean('field_check_approved_blank'),
  vet_comments: comments.openapi({ description: '1 to 1000 characters.' }),
  temperature_c: z
    .number('field_check_temperature')
    .min(30, 'field_check_temperature')
    .max(45, 'field_check_temperature')
    .multipleOf(0.1, 'field_check_temperature')
    .nullable()
    .optional(),
  body_condition: z
    .number('field_wrong')
    .min(BODY_CONDITIONS[0], 'field_wrong')
    .max(BODY_CONDITIONS.at(-1)!, 'field_wrong')
    .multipleOf(0.5, 'field_wrong')
    .nullable()
    .optional()
    .openapi({ description: '1 (very thin) to 5 (fat), in steps of 0.5.' }),
  teeth: finding,
  udder: finding,
  gait: finding,
  skin: finding,
  ...droppedFlags,
  ...dropped('usertype', 'status', 'createdon'),
})

// Not `extend`: the API document would contain two closed objects, and no value can match both.
const productForVets = z.strictObject({ ...productInList.shape, pickup: productInFull.shape.pickup }).openapi('ProductForVets', {
  description: 'As in lists. The full pickup address is returned to the vet who holds the animal and to admins.',
})

/** Rows 32 and 33 of api.md. */
export function addHealthCalls(api: Api): void {
  addCheck(api)
  addCheckPhotoUpload(api)
  addVetDesk(api)
}

function addCheck(api: Api): void {
  call(api, 'POST /livestock-veterinary-check', {
    tags: ['Vets'],
    summary: 'Record a vet check',
    description: [
      'For approved vets who do not own the animal. The newest check is valid for 30 days, or until the seller describes another animal;',
      'earlier ones stay visible. No hold is required: a check of an animal that nobody holds reserves it for two days. ANIMAL_HELD',
      'is returned while another vet holds the animal (vet-hold) or has checked it in the last two days, RATE_LIMITED',
      'after the checks of 24 hours (a setting, default 60). NOT_HELD is no longer returned. The seller is notified.',
    ].join(' '),
    request: { body: jsonBody(checkBody) },
    responses: {
      200: answer('The check is stored.', z.strictObject({ rows: z.literal(1) })),
      ...refusals(
        'VALIDATION',
        'IDENTITY_MISMATCH',
        'NOT_FOUND',
        'OWN_LISTING',
        'LISTING_STEP',
        'ANIMAL_HELD',
        // No check needs a hold any more; a code may leave the document with the next major version only (decision 0089).
        'NOT_HELD',
      ),
    },
    run: async (c) => {
      const { ctx } = c.var
      const { product, veterinary, checked_on, is_vet_approved, vet_comments, temperature_c, body_condition, ...looked } =
        c.req.valid('json')
      if (veterinary !== undefined && veterinary !== ctx.viewer?.id) throw new Problem('IDENTITY_MISMATCH')
      const check = {
        approved: is_vet_approved,
        comments: vet_comments,
        checkedOn: checked_on,
        temperatureC: temperature_c ?? null,
        bodyCondition: BODY_CONDITIONS.find((score) => score === body_condition) ?? null,
        teeth: looked.teeth ?? null,
        udder: looked.udder ?? null,
        gait: looked.gait ?? null,
        skin: looked.skin ?? null,
      }
      await onWire(recordVetCheck(ctx, product, check))
      return sendPersonal(c, { rows: 1 as const })
    },
  })
}

function addCheckPhotoUpload(api: Api): void {
  call(api, 'POST /vet-check-photo/id={id}', {
    tags: ['Vets'],
    summary: 'Add a picture to a vet check',
    description: [
      "JPEG or PNG of at most 8 MB, encoded again. Joins the caller's last check of the",
      'listing, within a day of it; at most three pictures. They are public with the check.',
    ].join(' '),
    ...multipart({ required: ['image'], properties: { image: { type: 'string', format: 'binary' } } }),
    request: { params: z.object({ id: idInPath("The listing's id.") }) },
    responses: {
      200: answer('The picture is stored.', z.strictObject({ rows: z.literal(1) })),
      ...refusals('VALIDATION', 'NOT_FOUND', 'TOO_MANY_IMAGES'),
    },
    run: async (c) => {
      const { ctx, market } = c.var
      const { id } = c.req.valid('param')
      const [image] = await filesIn(await multipartForm(c), 'image', 1)
      await addCheckPhoto(ctx, market.media, id, image!)
      return sendPersonal(c, { rows: 1 as const })
    },
  })
}

function addVetDesk(api: Api): void {
  call(api, 'GET /vet-productlist/checkcomplete={checkcomplete}&top={top}', {
    tags: ['Vets'],
    summary: 'List animals on the desk of the vets',
    description: [
      '`true`: animals with a valid check, latest first. `false`: listings on the market that need a check,',
      "longest waiting first, except those that other vets hold and the caller's own. Livestock and pets only.",
    ].join(' '),
    request: {
      params: z.object({
        checkcomplete: z.enum(['true', 'false'], 'true or false'),
        top: countInPath(0, MAX_TOP).openapi({ description: `The number of items. 0 means ${MAX_TOP}.` }),
      }),
      query: z.strictObject({ cursor: cursorInQuery }),
    },
    responses: {
      200: answerPage('The animals.', z.array(productForVets)),
      ...refusals('VALIDATION'),
    },
    run: async (c) => {
      const { ctx } = c.var
      const { checkcomplete, top } = c.req.valid('param')
      const { cursor } = c.req.valid('query')
      const choices = { isComplete: checkcomplete === 'true', district: null, near: null }
      const after = cursorOf(deskList(choices), cursor, DESK_CURSOR)
      const { animals, next } = await listDesk(ctx, { ...choices, after, top: top || MAX_TOP })
      if (next) c.header('X-Next-Cursor', next)
      // An admin sees the pickup places, so the read is audited once for the list.
      const shown = choices.isComplete ? 0 : animals.filter(({ product }) => product.pickup !== null).length
      if (shown > 0 && can(ctx.viewer, 'operate')) await audit(ctx, 'sensitive_read', 'listings:all', { what: 'pickup', count: shown })
      return sendPersonal(
        c,
        animals.map(({ product }) => ({
          ...listedProduct(product, ctx),
          // Nobody needs the place of a checked animal.
          pickup: wholeProduct(ctx, choices.isComplete ? { ...product, pickup: null } : product, null).pickup,
        })),
      )
    },
  })
}

/** Takes an animal and gives it back, like the vets' desk. */
export function addVetHoldCalls(api: Api): void {
  const params = z.object({ id: idInPath("The listing's id.") })
  call(api, 'POST /vet-hold/id={id}', {
    tags: ['Vets'],
    summary: 'Hold an animal',
    description: [
      'Optional: a check requires no hold. For two days only this vet may check the animal, and product/id',
      'returns its pickup address. Idempotent. HOLDS_FULL is returned at the maximum of holds (a setting,',
      'default 20), LISTING_STEP if the animal needs no check, RATE_LIMITED after as many animals in 24',
      'hours as a vet may check (a setting, default 60). Released animals count, and each animal counts once.',
    ].join(' '),
    request: { params },
    responses: {
      200: answer('The animal is held.', z.strictObject({ rows: z.literal(1) })),
      ...refusals('VALIDATION', 'NOT_FOUND', 'OWN_LISTING', 'LISTING_STEP', 'ANIMAL_HELD', 'HOLDS_FULL'),
    },
    run: async (c) => {
      if ((await takeAnimal(c.var.ctx, c.req.valid('param').id)) === 'full') throw new Problem('HOLDS_FULL')
      return sendPersonal(c, { rows: 1 as const })
    },
  })
  call(api, 'DELETE /vet-hold/id={id}', {
    tags: ['Vets'],
    summary: 'Release an animal',
    description: 'Ends the hold of the caller, so that other vets can hold the animal.',
    request: { params },
    responses: { 200: answer('Released.', z.strictObject({ rows: z.literal(1) })), ...refusals('VALIDATION', 'NOT_HELD') },
    run: async (c) => {
      await giveBack(c.var.ctx, c.req.valid('param').id)
      return sendPersonal(c, { rows: 1 as const })
    },
  })
}

/** Maps the command's form field names to the API's names. */
async function onWire(act: Promise<void>): Promise<void> {
  try {
    await act
  } catch (error) {
    if (!(error instanceof Problem) || !error.fields) throw error
    throw new Problem(error.code, {
      fields: error.fields.map(({ field, message }) => ({ field: field === 'checkedOn' ? 'checked_on' : field, message })),
    })
  }
}
