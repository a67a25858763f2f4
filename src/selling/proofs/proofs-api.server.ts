import { z } from '@hono/zod-openapi'
import { answer, idInPath, call, refusals, sendPersonal, type Api, multipart, multipartForm } from '#src/kit/http/api.server.ts'
import { ID_PATTERN } from '#src/kit/ids.ts'
import { clipLimits } from '#src/kit/media/clips/clip-limits.ts'
import { MAX_PICTURE_BYTES } from '#src/kit/media/pictures.server.ts'
import { Problem, invalidField } from '#src/kit/base/problem.ts'
import { milkingClipOnWire, milkingClipSchema } from '#src/listings/clips/clip-wire.server.ts'
import { MAX_LITRES, MILKING_TIMES, PROOF_DAYS } from '#src/listings/proofs/proof-rules.ts'
import { textOf } from '#src/kit/http/page.server.ts'
import { milkingInput } from './milking-schema.ts'
import { addMilking, removeMilking, type SentMilkingClip } from './milkings.server.ts'
import { getOwnProofs, PROOF_STATES } from './own-proofs.server.ts'

const rows = z.strictObject({ rows: z.int() })
const state = z.enum(PROOF_STATES).openapi({
  description:
    '`said`: no clip. `waiting`: for an admin. `seen`: approved and public. `refused`: refused by an admin. `old`: no longer shown.',
})
const binary = { type: 'string', format: 'binary' } as const
const product = { type: 'integer' as const, description: "The listing's id." }

const proofs = z
  .strictObject({
    milkings: z.array(
      z.strictObject({
        id: z.int(),
        milked_on: z.iso.date(),
        time: z.enum(MILKING_TIMES),
        litres: z.number(),
        clip: milkingClipSchema.nullable(),
        state,
      }),
    ),
  })
  .openapi('OwnProofs')

export function addProofCalls(api: Api): void {
  addOwnProofs(api)
  addMilkingCall(api)
  removeMilkingCall(api)
}

function addOwnProofs(api: Api): void {
  call(api, 'GET /productproofs/id={id}', {
    tags: ['Selling'],
    summary: 'List the milkings of a listing',
    description: 'For the seller of the listing and admins.',
    request: { params: z.object({ id: idInPath("The listing's id.") }) },
    responses: { 200: answer('The milkings.', proofs), ...refusals('VALIDATION', 'NOT_FOUND') },
    run: async (c) => {
      const { milkings } = await getOwnProofs(c.var.ctx, c.req.valid('param').id)
      return sendPersonal(c, {
        milkings: milkings.map(({ on, clip, ...milking }) => ({ ...milking, milked_on: on, clip: clip && milkingClipOnWire(clip) })),
      })
    },
  })
}

function addMilkingCall(api: Api): void {
  call(api, 'POST /productmilkings', {
    tags: ['Selling'],
    summary: 'Add a milking',
    description: `For a female in milk, at most three of the last ${PROOF_DAYS} days. An admin approves each clip before it is public.`,
    ...multipart({
      required: ['product', 'milked_on', 'time', 'litres'],
      properties: {
        product,
        milked_on: { type: 'string', format: 'date' },
        time: { type: 'string', enum: [...MILKING_TIMES] },
        litres: { type: 'number', description: `Litres above 0, at most ${MAX_LITRES}, with one decimal.` },
        clip: { ...binary, description: 'The file. Optional; omit if `upload` is sent.' },
        upload: { type: 'string', description: 'The id of a finished clip-upload.' },
        still: { ...binary, description: 'A still picture of the clip, JPEG or PNG.' },
      },
    }),
    responses: { 200: answer('The new id.', z.strictObject({ id: z.int() })), ...refusals('VALIDATION', 'NOT_FOUND', 'LISTING_STEP') },
    run: async (c) => {
      const form = await multipartForm(c)
      const listingId = listingIn(form)
      const typed = { milkedOn: textOf(form, 'milked_on'), time: textOf(form, 'time'), litres: textOf(form, 'litres') }
      const milking = milkingInput.safeParse(typed)
      if (!milking.success) throw onWire(milking.error.issues.map(({ path, message }) => ({ field: path.join('.'), message })))
      const clip = await clipIn(form)
      try {
        const id = await addMilking(c.var.ctx, c.var.market.media, listingId, { ...milking.data, clip })
        return sendPersonal(c, { id })
      } catch (error) {
        throw error instanceof Problem && error.code === 'VALIDATION' && error.fields ? onWire(error.fields) : error
      }
    },
  })
}

function removeMilkingCall(api: Api): void {
  call(api, 'DELETE /productmilking/id={milkingId}', {
    tags: ['Selling'],
    summary: 'Remove a milking',
    description: 'NOT_FOUND is also returned for milkings of other people.',
    request: { params: z.object({ milkingId: idInPath("The milking's id.") }) },
    responses: { 200: answer('It was removed.', rows), ...refusals('VALIDATION', 'UNSUPPORTED_TYPE', 'NOT_FOUND', 'LISTING_STEP') },
    run: async (c) => {
      await removeMilking(c.var.ctx, c.var.market.media, c.req.valid('param').milkingId)
      return sendPersonal(c, { rows: 1 })
    },
  })
}

function listingIn(form: FormData): number {
  const id = textOf(form, 'product')
  if (!ID_PATTERN.test(id)) throw invalidField('product', "The listing's id, once.")
  return Number(id)
}

async function clipIn(form: FormData): Promise<SentMilkingClip | null> {
  const [clip, still, upload] = [form.get('clip'), form.get('still'), textOf(form, 'upload')]
  if (clip instanceof File && clip.size > clipLimits.video.bytes)
    throw new Problem('TOO_LARGE', { fields: [{ field: 'clip', message: 'field_clip_large' }] })
  if (still instanceof File && still.size > MAX_PICTURE_BYTES) throw new Problem('TOO_LARGE')
  const bytesOf = async (file: unknown) => (file instanceof File && file.size > 0 ? Buffer.from(await file.arrayBuffer()) : null)
  const file = (await bytesOf(clip)) ?? (/^[a-z0-9]{20}$/.test(upload) ? { upload } : null)
  return file && { file, still: await bytesOf(still) }
}

/** Maps the command's field names to those of the API. */
const onWire = (fields: { field: string; message: string }[]) =>
  new Problem('VALIDATION', {
    fields: fields.map(({ field, message }) => ({ field: field === 'milkedOn' ? 'milked_on' : field, message })),
  })
