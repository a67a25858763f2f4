import { z } from '@hono/zod-openapi'
import { answer, call, refusals, sendPersonal, type Api, type ApiContext } from '#src/kit/http/api.server.ts'
import { Problem, invalidField } from '#src/kit/base/problem.ts'
import { MAX_UPLOAD_BYTES, appendPart, createUpload, getUpload, removeUpload } from './clip-uploads.server.ts'

/** The protocol tus 1.0 (https://tus.io/protocols/resumable-upload) with creation and termination, so that any tus client can send a clip. */
const VERSION = '1.0.0'
const tusHeaders = { 'Tus-Resumable': VERSION, 'Cache-Control': 'no-store' }
const PART_TYPE = 'application/offset+octet-stream'
const PATH = '/clip-upload/id={uploadId}'

/** The two extensions of tus that these calls implement. */
const EXTENSIONS = 'creation,termination'

const params = z.object({
  uploadId: z
    .string()
    .regex(/^[a-z0-9]{20}$/, 'As the Location of the upload has it.')
    .openapi({ param: { required: true, description: 'As the Location of the upload has it.' } }),
})
const description = 'Part of tus 1.0: `Tus-Resumable: 1.0.0`, else 412.'
const override = 'A client that cannot send this method sends POST with `X-HTTP-Method-Override`.'

export function addClipUploadCalls(api: Api): void {
  addAbilities(api)
  addCreation(api)
  addOffset(api)
  addPart(api)
  call(api, {
    method: 'delete',
    path: PATH,
    tags: ['Selling'],
    summary: 'Give up an upload',
    description: `${description} Another's and a missing one are the same 404. ${override}`,
    request: { params },
    responses: { 204: { description: 'Gone.' }, ...refusals('VALIDATION', 'NOT_FOUND', 'PROTOCOL_VERSION') },
    run: async (c) => {
      requireVersion(c)
      await removeUpload(c.var.ctx, c.req.valid('param').uploadId)
      return c.body(null, 204, tusHeaders)
    },
  })
}

/** A tus client asks this before it knows the protocol's version, so the call requires none. */
function addAbilities(api: Api): void {
  call(api, {
    method: 'options',
    path: '/clip-upload',
    tags: ['Selling'],
    summary: 'How uploads work here',
    description: 'The headers name the version of tus, its extensions and the most bytes of an upload.',
    responses: {
      204: {
        description: 'See the headers.',
        headers: {
          'Tus-Version': { description: 'The version of tus.', schema: { type: 'string' } },
          'Tus-Extension': { description: 'The extensions of tus, separated by commas.', schema: { type: 'string' } },
          'Tus-Max-Size': { description: 'The most bytes of an upload.', schema: { type: 'string' } },
        },
      },
      ...refusals(),
    },
    run: (c) =>
      c.body(null, 204, { ...tusHeaders, 'Tus-Version': VERSION, 'Tus-Extension': EXTENSIONS, 'Tus-Max-Size': String(MAX_UPLOAD_BYTES) }),
  })
}

function addCreation(api: Api): void {
  call(api, {
    method: 'post',
    path: '/clip-upload',
    tags: ['Selling'],
    summary: 'Begin to upload a clip or a voice note',
    description: `${description} \`Upload-Length\`: its bytes, ${MAX_UPLOAD_BYTES} at most. What is not finished within a day goes.`,
    responses: {
      201: { description: 'Begun.', headers: { Location: { description: 'Where its parts go.', schema: { type: 'string' } } } },
      ...refusals('VALIDATION', 'TOO_LARGE', 'PROTOCOL_VERSION'),
    },
    run: async (c) => {
      requireVersion(c)
      const length = wholeHeader(c, 'Upload-Length')
      if (length === 0) throw wrongHeader('Upload-Length')
      const id = await createUpload(c.var.ctx, length)
      return c.body(null, 201, { ...tusHeaders, Location: `/api/v1/clip-upload/id=${id}`, 'Tus-Max-Size': String(MAX_UPLOAD_BYTES) })
    },
  })
}

function addOffset(api: Api): void {
  call(api, {
    method: 'get',
    path: PATH,
    tags: ['Selling'],
    summary: 'How much of a clip has come',
    description: `${description} HEAD is what clients ask; the figures are in the headers \`Upload-Offset\` and \`Upload-Length\`, too.`,
    request: { params },
    responses: {
      200: answer('So much.', z.strictObject({ length: z.int(), offset: z.int() })),
      ...refusals('VALIDATION', 'NOT_FOUND', 'PROTOCOL_VERSION'),
    },
    run: async (c) => {
      requireVersion(c)
      const { length, received } = await getUpload(c.var.ctx, c.req.valid('param').uploadId)
      c.header('Tus-Resumable', VERSION)
      c.header('Upload-Length', String(length))
      c.header('Upload-Offset', String(received))
      return sendPersonal(c, { length, offset: received })
    },
  })
}

function addPart(api: Api): void {
  call(api, {
    method: 'patch',
    path: PATH,
    tags: ['Selling'],
    summary: 'Send the next part of a clip',
    description: `${description} \`Upload-Offset\`: how much of it has come, else VERSION. A part counts when it has come whole; ours have 256 KB. ${override}`,
    request: { params },
    requestBody: { required: true, content: { [PART_TYPE]: { schema: { type: 'string', format: 'binary' } } } },
    responses: {
      204: { description: 'Kept.', headers: { 'Upload-Offset': { description: 'How much has come.', schema: { type: 'string' } } } },
      ...refusals('VALIDATION', 'NOT_FOUND', 'VERSION', 'TOO_LARGE', 'PROTOCOL_VERSION'),
    },
    run: async (c) => {
      requireVersion(c)
      // Some clients add a charset, which means nothing for bytes.
      if (c.req.header('content-type')?.split(';')[0]!.trim().toLowerCase() !== PART_TYPE) throw new Problem('UNSUPPORTED_TYPE')
      const offset = wholeHeader(c, 'Upload-Offset')
      const data = Buffer.from(await c.req.arrayBuffer())
      const received = await appendPart(c.var.ctx, c.req.valid('param').uploadId, { offset, data })
      return c.body(null, 204, { ...tusHeaders, 'Upload-Offset': String(received) })
    },
  })
}

function requireVersion(c: ApiContext): void {
  c.header('Tus-Version', VERSION)
  if (c.req.header('tus-resumable') !== VERSION) throw new Problem('PROTOCOL_VERSION')
}

function wholeHeader(c: ApiContext, name: string): number {
  const text = c.req.header(name) ?? ''
  if (!/^\d{1,12}$/.test(text)) throw wrongHeader(name)
  return Number(text)
}

const wrongHeader = (field: string) => invalidField(field, 'Bytes, as a whole number.')
