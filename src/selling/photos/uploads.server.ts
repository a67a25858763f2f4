import { MAX_PICTURE_BYTES } from '#src/kit/media/pictures.server.ts'
import { Problem, invalidField } from '#src/kit/base/problem.ts'
import { MAX_PHOTOS } from '#src/listings/fields/listing-questions.ts'

/** Pictures in the shape in which calls receive them. */

/** At least one, and no text in a file's place. TOO_MANY_IMAGES before any of them is inspected. */
export async function filesIn(form: FormData, name: string, atMost = MAX_PHOTOS): Promise<Buffer[]> {
  const files = form.getAll(name)
  if (files.length === 0 || files.some((file) => !(file instanceof File))) throw invalidField(name, 'field_picture_missing')
  if (files.length > atMost) throw new Problem('TOO_MANY_IMAGES')
  if ((files as File[]).some(({ size }) => size > MAX_PICTURE_BYTES)) throw new Problem('TOO_LARGE')
  return Promise.all((files as File[]).map(async (file) => Buffer.from(await file.arrayBuffer())))
}
