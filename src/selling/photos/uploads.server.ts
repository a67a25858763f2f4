import type { ApiContext } from '#src/kit/http/api.server.ts'
import { MAX_PICTURE_BYTES } from '#src/kit/media/pictures.server.ts'
import { Problem } from '#src/kit/problem.ts'
import { MAX_PHOTOS } from '#src/listings/listing-questions.ts'

/** Pictures in the shape in which calls receive them. */

export async function multipartOnly(c: ApiContext, next: () => Promise<void>): Promise<void> {
  if (!/^multipart\/form-data\s*;/i.test(c.req.header('content-type') ?? '')) throw new Problem('UNSUPPORTED_TYPE')
  await next()
}

export const multipartForm = (c: ApiContext): Promise<FormData> =>
  c.req.raw.formData().catch(() => {
    throw new Problem('MALFORMED')
  })

/** At least one, and no text in a file's place. TOO_MANY_IMAGES before any of them is inspected. */
export async function filesIn(form: FormData, name: string, atMost = MAX_PHOTOS): Promise<Buffer[]> {
  const files = form.getAll(name)
  if (files.length === 0 || files.some((file) => !(file instanceof File)))
    throw new Problem('VALIDATION', { fields: [{ field: name, message: 'field_picture_missing' }] })
  if (files.length > atMost) throw new Problem('TOO_MANY_IMAGES')
  if ((files as File[]).some(({ size }) => size > MAX_PICTURE_BYTES)) throw new Problem('TOO_LARGE')
  return Promise.all((files as File[]).map(async (file) => Buffer.from(await file.arrayBuffer())))
}
