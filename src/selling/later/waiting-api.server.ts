import { z } from '@hono/zod-openapi'
import { leftTo } from '#src/kit/text/text.ts'
import { answer, call, jsonBody, refusals, sendPersonal, type Api, multipart, multipartForm } from '#src/kit/http/api.server.ts'
import { MAX_PHOTOS } from '#src/listings/fields/listing-questions.ts'
import { draftFields, draftTyped, MAX_DRAFT_TEXT } from '#src/selling/unsent/draft-fields.ts'
import { filesIn } from '#src/selling/photos/uploads.server.ts'
import { addWaitingPhoto, sendWaiting } from './waiting.server.ts'

const key = z
  .string()
  .regex(/^[\w-]{8,64}$/)
  .openapi({ param: { description: 'The `typed.key` of the listing.' } })
const at = z
  .string()
  .regex(/^[012]$/)
  .transform(Number)
  .openapi({ type: 'integer', param: { required: true, description: 'The position: 0, 1 or 2.' } })

/** Calls for a listing that was made offline: each picture separately, then the typed fields. */
export function addWaitingCalls(api: Api): void {
  addWaitingPhotoCall(api)
  call(api, 'POST /waiting-listing', {
    tags: ['Selling'],
    summary: 'Create a listing that was typed offline',
    description: 'Idempotent for `typed.key`. VALIDATION with the field `waiting` means that a picture must be uploaded first.',
    request: {
      body: jsonBody(
        z.strictObject({
          typed: z
            .record(leftTo('draftTyped', z.string().max(40)), leftTo('checkListing', z.string().max(MAX_DRAFT_TEXT * 2)))
            .openapi({ description: `Form texts by field name. Known fields: ${draftFields.join(', ')}.` }),
          photos: z
            .array(
              z.union([
                z.strictObject({ stored: z.int().min(1) }).openapi({ description: 'A picture in the draft of the form.' }),
                z.strictObject({ at: z.int().min(0).max(2) }).openapi({ description: 'A picture uploaded to this position.' }),
              ]),
            )
            .min(1)
            .max(MAX_PHOTOS)
            .openapi({ description: 'The main picture first.' }),
        }),
      ),
    },
    responses: {
      200: answer('The id of the listing.', z.strictObject({ id: z.int() })),
      ...refusals('VALIDATION', 'IDENTITY_MISMATCH', 'NOT_FOUND', 'IDEMPOTENCY_MISMATCH'),
    },
    run: async (c) => {
      const { typed, photos } = c.req.valid('json')
      return sendPersonal(c, { id: await sendWaiting(c.var.ctx, { typed: draftTyped(Object.entries(typed)), photos }) })
    },
  })
}

function addWaitingPhotoCall(api: Api): void {
  call(api, 'POST /waiting-listing/photo', {
    tags: ['Selling'],
    summary: 'Upload a picture of a listing that was typed offline',
    description: 'One JPEG or PNG of at most 8 MB. Replaces another picture at the same position. Idempotent for the same picture.',
    ...multipart({ required: ['image'], properties: { image: { type: 'string', format: 'binary' } } }),
    request: { query: z.strictObject({ key, at }) },
    responses: { 200: answer('The picture is stored.', z.strictObject({ rows: z.int() })), ...refusals('VALIDATION', 'TOO_MANY_IMAGES') },
    run: async (c) => {
      const [file] = await filesIn(await multipartForm(c), 'image', 1)
      const { key, at } = c.req.valid('query')
      await addWaitingPhoto(c.var.ctx, c.var.market.media, { key, at, file: file! })
      return sendPersonal(c, { rows: 1 })
    },
  })
}
