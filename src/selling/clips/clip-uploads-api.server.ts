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
    .openapi({ param: { required: true, description: 'The id in the Location of the upload.' } }),
})
const description = 'Part of the protocol tus 1.0. Requires `Tus-Resumable: 1.0.0`, else 412 is returned.'
const override = 'POST with `X-HTTP-Method-Override` is also accepted.'

export function addClipUploadCalls(api: Api): void {
  addAbilities(api)
  addCreation(api)
  addOffset(api)
  addPart(api)
  call(api, `DELETE ${PATH}`, {
    tags: ['Selling'],
    summary: 'Delete an upload',
    description: `${description} NOT_FOUND is also returned for uploads of other people. ${override}`,
    request: { params },
    responses: { 204: { description: 'The upload was deleted.' }, ...refusals('VALIDATION', 'NOT_FOUND', 'PROTOCOL_VERSION') },
    run: async (c) => {
      requireVersion(c)
      await removeUpload(c.var.ctx, c.req.valid('param').uploadId)
      return c.body(null, 204, tusHeaders)
    },
  })
}

/** A tus client asks this before it knows the protocol's version, so the call requires none. */
function addAbilities(api: Api): void {
  call(api, 'OPTIONS /clip-upload', {
    tags: ['Selling'],
    summary: 'Retrieve the upload options',
    description: 'The headers return the tus version, its extensions and the maximum size of an upload.',
    responses: {
      204: {
        description: 'The options are in the headers.',
        headers: {
          'Tus-Version': { description: 'The version of tus.', schema: { type: 'string' } },
          'Tus-Extension': { description: 'The extensions of tus, separated by commas.', schema: { type: 'string' } },
          'Tus-Max-Size': { description: 'The maximum size of an upload, in bytes.', schema: { type: 'string' } },
        },
      },
      ...refusals(),
    },
    run: (c) =>
      c.body(null, 204, { ...tusHeaders, 'Tus-Version': VERSION, 'Tus-Extension': EXTENSIONS, 'Tus-Max-Size': String(MAX_UPLOAD_BYTES) }),
  })
}

function addCreation(api: Api): void {
  call(api, 'POST /clip-upload', {
    tags: ['Selling'],
    summary: 'Create an upload of a clip or voice note',
    description: `${description} \`Upload-Length\` is the size, at most ${MAX_UPLOAD_BYTES} bytes. Unfinished uploads expire after a day.`,
    responses: {
      201: { description: 'Created.', headers: { Location: { description: 'The upload.', schema: { type: 'string' } } } },
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
  call(api, `GET ${PATH}`, {
    tags: ['Selling'],
    summary: 'Retrieve the progress of an upload',
    description: `${description} tus clients use HEAD. The headers \`Upload-Offset\` and \`Upload-Length\` have the same values.`,
    request: { params },
    responses: {
      200: answer('The progress, in bytes.', z.strictObject({ length: z.int(), offset: z.int() })),
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
  call(api, `PATCH ${PATH}`, {
    tags: ['Selling'],
    summary: 'Append a part to an upload',
    description: `${description} \`Upload-Offset\` must equal the bytes received, else VERSION. Only whole parts are stored. ${override}`,
    request: { params },
    requestBody: { required: true, content: { [PART_TYPE]: { schema: { type: 'string', format: 'binary' } } } },
    responses: {
      204: { description: 'Stored.', headers: { 'Upload-Offset': { description: 'The bytes received.', schema: { type: 'string' } } } },
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
