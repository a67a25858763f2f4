import { z } from '@hono/zod-openapi'
import { leftTo } from '#src/kit/text/text.ts'
import { answer, idInPath, call, refusals, sendPersonal, type Api, multipart, multipartForm } from '#src/kit/http/api.server.ts'
import { mediaUrl } from '#src/kit/media/media-url.ts'
import { clipOnWire, clipSchema } from '#src/listings/clips/clip-wire.server.ts'
import { clipForm } from '#src/selling/clips/clips-api.server.ts'
import { editFormOf, listWaitingClips } from '#src/selling/unsent/waiting-clips.server.ts'
import { copyListing } from '#src/selling/own/copy-listing.server.ts'
import { MAX_DRAFT_TEXT, draftFields, draftTyped } from '#src/selling/unsent/draft-fields.ts'
import { addDraftPhotos, findDraft, removeDraft, removeDraftPhoto, saveDraft, type DraftPhoto } from '#src/selling/unsent/drafts.server.ts'
import { filesIn } from '#src/selling/photos/uploads.server.ts'

/** Saves what is typed into the sell form, or into the edit form of a listing, while it is typed. */
const MAX_VERSION = 2_000_000_000

const typed = z.record(leftTo('draftTyped', z.string().max(40)), leftTo('checkListing', z.string().max(MAX_DRAFT_TEXT * 2))).openapi({
  description: `Form texts by field name. Known fields: ${draftFields.join(', ')}. Others are ignored, as are texts over ${MAX_DRAFT_TEXT} characters.`,
})
const photo = z.strictObject({
  id: z.int(),
  key: z.string(),
  image: z.string(),
  width: z.int(),
  height: z.int(),
  color: z.string(),
  hash: z.string(),
})
const photos = z.array(photo).max(3)
const onWire = (found: DraftPhoto[]) => found.map((each) => ({ ...each, image: mediaUrl(each.key, 640, 'jpeg') }))
const ofListing = z.strictObject({
  listing: idInPath()
    .optional()
    .openapi({ description: 'The listing of an edit form. Omit for the sell form.', param: { required: false } }),
})
const rows = z.strictObject({ rows: z.int() })

export function addDraftCalls(api: Api): void {
  addDraftRead(api)
  addDraftSave(api)
  addDraftCopy(api)
  addDraftPhotoCalls(api)
}

function addDraftRead(api: Api): void {
  call(api, 'GET /listing-draft', {
    tags: ['Selling'],
    summary: 'Retrieve a draft',
    description: 'Version 0 means that there is no draft.',
    request: { query: ofListing.extend({ form: clipForm.optional() }) },
    responses: {
      200: answer(
        'The draft.',
        z.strictObject({
          version: z.int(),
          typed: z.record(z.string(), z.string()),
          photos,
          clips: z.array(clipSchema).max(3).openapi({ description: 'Clips stored for this form, or for the form of the draft.' }),
        }),
      ),
      ...refusals(),
    },
    run: async (c) => {
      const { ctx } = c.var
      const { listing = null, form } = c.req.valid('query')
      const draft = await findDraft(ctx, listing)
      const clips = await listWaitingClips(ctx, form ?? (listing === null ? (draft?.typed.key ?? '') : editFormOf(listing)))
      return sendPersonal(c, {
        version: draft?.version ?? 0,
        typed: draft?.typed ?? {},
        photos: onWire(draft?.photos ?? []),
        clips: clips.map(clipOnWire),
      })
    },
  })
}

function addDraftSave(api: Api): void {
  call(api, 'PUT /listing-draft', {
    tags: ['Selling'],
    summary: 'Save a draft',
    description: 'The version must exceed the stored one by 1 to 1000. An older version changes nothing, and `saved` is false.',
    request: {
      query: ofListing,
      body: {
        required: true,
        content: { 'application/json': { schema: z.strictObject({ version: z.int().min(1).max(MAX_VERSION), typed }) } },
      },
    },
    responses: {
      200: answer(
        'The stored version.',
        z.strictObject({
          version: z.int(),
          saved: z.boolean(),
          sent: z.boolean().openapi({
            description:
              'True if nothing was saved because the form was submitted already, or the listing has another version than the form.',
          }),
        }),
      ),
      ...refusals('VALIDATION'),
    },
    run: async (c) => {
      const body = c.req.valid('json')
      const { version, isSaved, isSent } = await saveDraft(c.var.ctx, {
        version: body.version,
        typed: draftTyped(Object.entries(body.typed)),
        listingId: c.req.valid('query').listing ?? null,
      })
      return sendPersonal(c, { version, saved: isSaved, sent: isSent })
    },
  })
  call(api, 'DELETE /listing-draft', {
    tags: ['Selling'],
    summary: 'Delete a draft',
    description: 'Deletes the draft with its pictures and clips.',
    request: { query: ofListing },
    responses: { 200: answer('The draft was deleted.', rows), ...refusals('UNSUPPORTED_TYPE') },
    run: async (c) => {
      await removeDraft(c.var.ctx, c.var.market.media, c.req.valid('query').listing ?? null)
      return sendPersonal(c, { rows: 1 })
    },
  })
}

function addDraftCopy(api: Api): void {
  call(api, 'POST /listing-draft/copy', {
    tags: ['Selling'],
    summary: 'Copy a listing into the draft',
    description: [
      'Copies one of the caller’s listings into the draft of the sell form, without photos, clips',
      'and ear tag. If a draft exists, it is replaced only with `over`; otherwise `copied` is false.',
    ].join(' '),
    request: {
      body: {
        required: true,
        content: {
          'application/json': {
            schema: z.strictObject({ listing: z.int().positive().max(999_999_999_999_999), over: z.boolean().optional() }),
          },
        },
      },
    },
    responses: { 200: answer('The result.', z.strictObject({ copied: z.boolean() })), ...refusals('VALIDATION', 'NOT_FOUND') },
    run: async (c) => {
      const { listing, over = false } = c.req.valid('json')
      return sendPersonal(c, { copied: await copyListing(c.var.ctx, c.var.market.media, listing, { isOver: over }) })
    },
  })
}

function addDraftPhotoCalls(api: Api): void {
  call(api, 'POST /listing-draft/photo', {
    tags: ['Selling'],
    summary: 'Add a picture to a draft',
    request: { query: ofListing },
    description: 'One JPEG or PNG of at most 8 MB. A draft has at most three pictures. Idempotent for the same picture.',
    ...multipart({ required: ['image'], properties: { image: { type: 'string', format: 'binary' } } }),
    responses: {
      200: answer('All pictures of the draft.', z.strictObject({ photos })),
      ...refusals('VALIDATION', 'TOO_MANY_IMAGES', 'NOT_FOUND'),
    },
    run: async (c) => {
      const listing = c.req.valid('query').listing ?? null
      const files = await filesIn(await multipartForm(c), 'image', 1)
      return sendPersonal(c, { photos: onWire(await addDraftPhotos(c.var.ctx, c.var.market.media, files, listing)) })
    },
  })
  call(api, 'DELETE /listing-draft/photo/id={photoId}', {
    tags: ['Selling'],
    summary: 'Remove a picture of a draft',
    request: {
      params: z.object({
        photoId: idInPath(),
      }),
    },
    description: 'NOT_FOUND is also returned for pictures of other people.',
    responses: { 200: answer('The picture was removed.', rows), ...refusals('VALIDATION', 'UNSUPPORTED_TYPE', 'NOT_FOUND') },
    run: async (c) => {
      await removeDraftPhoto(c.var.ctx, c.var.market.media, c.req.valid('param').photoId)
      return sendPersonal(c, { rows: 1 })
    },
  })
}
