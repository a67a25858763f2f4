import { z } from '@hono/zod-openapi'
import {
  answer,
  idInPath,
  call,
  refusals,
  sendPersonal,
  type Api,
  type ApiContext,
  multipart,
  multipartForm,
} from '#src/kit/http/api.server.ts'
import { ID_PATTERN } from '#src/kit/ids.ts'
import { MAX_CAPTION, clipLimits, isClipKind } from '#src/kit/media/clips/clip-limits.ts'
import { MAX_PICTURE_BYTES } from '#src/kit/media/pictures.server.ts'
import { Problem, invalidField } from '#src/kit/base/problem.ts'
import { clipOnWire, clipSchema } from '#src/listings/clips/clip-wire.server.ts'
import { singleLine } from '#src/kit/text/plain-text.ts'
import { isCaption } from '../captions.ts'
import { textOf } from '#src/kit/http/page.server.ts'
import { addListingClip, addWaitingClip, removeListingClip, removeWaitingClip, type SentClip } from './add-clip.server.ts'

const rows = z.strictObject({ rows: z.int() })
const clips = z.strictObject({ clips: z.array(clipSchema).max(3) })
const binary = { type: 'string', format: 'binary' } as const
const sentFields = {
  kind: { type: 'string' as const, enum: ['video', 'voice'] },
  clip: { ...binary, description: 'The file. Omit if `upload` is sent.' },
  upload: { type: 'string' as const, description: 'The id of a finished clip-upload.' },
  still: { ...binary, description: 'A still picture of the clip, JPEG or PNG.' },
}
const limits = `MP4 with H.264 and AAC, or WebM with VP8 or VP9 and Opus. At most two clips of ${clipLimits.video.seconds} seconds and ${clipLimits.video.bytes} bytes, and one voice note of ${clipLimits.voice.seconds} seconds and ${clipLimits.voice.bytes} bytes. Each file is rewritten without its metadata.`

export const clipForm = z
  .string()
  .regex(/^[\w-]{6,64}$/)
  .openapi({ description: 'The `key` of the sell form, or `edit-` with the id of the edited listing.' })

export function addClipCalls(api: Api): void {
  addFormClips(api)
  addListingClips(api)
}

function addFormClips(api: Api): void {
  call(api, 'POST /listing-draft/clip', {
    tags: ['Selling'],
    summary: 'Add a clip to a form',
    description: `${limits} The clip joins the listing when the form is submitted, or at once if it was submitted already.`,
    request: {
      query: z.strictObject({ form: clipForm }),
    },
    ...multipart({
      required: ['kind'],
      properties: {
        ...sentFields,
        caption: { type: 'string', maxLength: MAX_CAPTION, description: 'Used if the form was submitted already.' },
        version: {
          type: 'integer',
          description: 'The version of the listing in the edit form. If it was saved since, the clip joins the listing at once.',
        },
      },
    }),
    responses: { 200: answer('All clips stored for the form.', clips), ...refusals('VALIDATION', 'NOT_FOUND', 'LISTING_STEP') },
    run: async (c) => {
      const form = await multipartForm(c)
      const version = textOf(form, 'version')
      if (!/^\d{0,9}$/.test(version)) throw invalidField('version', 'A whole number.')
      const sent = { ...(await sentIn(form)), caption: captionIn(form), version: version === '' ? undefined : Number(version) }
      const all = await addWaitingClip(c.var.ctx, c.var.market.media, c.req.valid('query').form, sent)
      return sendPersonal(c, { clips: all.map(clipOnWire) })
    },
  })
  removal(api, '/listing-draft/clip/id={clipId}', 'Remove a clip of a form', removeWaitingClip)
}

function addListingClips(api: Api): void {
  call(api, 'POST /productclips', {
    tags: ['Selling'],
    summary: 'Add a clip to a listing',
    description: `${limits} The listing is verified again.`,
    ...multipart({
      required: ['product', 'kind'],
      properties: {
        product: { type: 'integer', description: "The listing's id." },
        ...sentFields,
        caption: { type: 'string', maxLength: MAX_CAPTION },
      },
    }),
    responses: { 200: answer('All clips of the listing.', clips), ...refusals('VALIDATION', 'NOT_FOUND', 'LISTING_STEP') },
    run: async (c) => {
      const form = await multipartForm(c)
      const product = textOf(form, 'product')
      if (!ID_PATTERN.test(product)) throw invalidField('product', "The listing's id, once.")
      const sent = { ...(await sentIn(form)), caption: captionIn(form) }
      const all = await addListingClip(c.var.ctx, c.var.market.media, Number(product), sent)
      return sendPersonal(c, { clips: all.map(clipOnWire) })
    },
  })
  removal(api, '/productclip/id={clipId}', 'Remove a clip of a listing', removeListingClip)
}

function removal(api: Api, path: string, summary: string, remove: typeof removeListingClip): void {
  call(api, `DELETE ${path}`, {
    tags: ['Selling'],
    summary,
    description: 'NOT_FOUND is also returned for clips of other people.',
    request: { params: z.object({ clipId: idInPath("The clip's id.") }) },
    responses: { 200: answer('The clip was removed.', rows), ...refusals('VALIDATION', 'UNSUPPORTED_TYPE', 'NOT_FOUND', 'LISTING_STEP') },
    run: async (c: ApiContext) => {
      const { clipId } = c.req.valid('param' as never) as { clipId: number }
      await remove(c.var.ctx, c.var.market.media, clipId)
      return sendPersonal(c, { rows: 1 })
    },
  })
}

function captionIn(form: FormData): string {
  const caption = singleLine(textOf(form, 'caption'))
  if (!isCaption(caption)) throw invalidField('caption', 'field_clip_caption')
  return caption
}

async function sentIn(form: FormData): Promise<SentClip> {
  const kind = form.get('kind')
  if (!isClipKind(kind)) throw invalidField('kind', 'video or voice.')
  const clip = form.get('clip')
  const upload = textOf(form, 'upload')
  if (!(clip instanceof File) && !/^[a-z0-9]{20}$/.test(upload)) throw invalidField('clip', 'field_clip_missing')
  if (clip instanceof File && clip.size > clipLimits[kind].bytes)
    throw new Problem('TOO_LARGE', { fields: [{ field: 'clip', message: kind === 'video' ? 'field_clip_large' : 'field_voice_large' }] })
  const still = form.get('still')
  if (still instanceof File && still.size > MAX_PICTURE_BYTES) throw new Problem('TOO_LARGE')
  return {
    kind,
    file: clip instanceof File ? Buffer.from(await clip.arrayBuffer()) : { upload },
    still: still instanceof File && still.size > 0 ? Buffer.from(await still.arrayBuffer()) : null,
  }
}
