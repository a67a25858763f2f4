import { notFound } from '#src/kit/base/problem.ts'

/** An id in a path or body: a positive integer that a double represents exactly. */
export const ID_PATTERN = /^[1-9]\d{0,14}$/
export const parseId = (text: string | null | undefined): number | null => (text && ID_PATTERN.test(text) ? Number(text) : null)

/** Returns the id in a path or form. Throws NOT_FOUND for any other text. */
export function idIn(text: string | undefined): number {
  const id = parseId(text)
  if (id === null) throw notFound()
  return id
}
