import { Problem, type FieldProblem } from '#src/kit/base/problem.ts'

/** NUL and half a character: no database stores them, and nobody types them (safety.md: 422). */
const UNSTORABLE = /[\0\p{Cs}]/u

/** Throws VALIDATION with each text of a body or form that cannot be stored. Fields are named by their path, as in `product.name`. */
export function ensureStorable(body: unknown): void {
  const fields: FieldProblem[] = []
  collect(body, '', fields)
  if (fields.length > 0) throw new Problem('VALIDATION', { fields })
}

/** JSON bodies have a limited depth (api.server.ts), so the recursion ends. */
function collect(value: unknown, path: string, fields: FieldProblem[]): void {
  if (typeof value === 'string') {
    if (UNSTORABLE.test(value)) fields.push({ field: path, message: 'field_text_letters' })
  } else if (typeof value === 'object' && value !== null && !(value instanceof Blob)) {
    for (const [name, part] of Object.entries(value)) collect(part, path === '' ? name : `${path}.${name}`, fields)
  }
}
