import type { z } from 'zod'
import { Problem } from '#src/kit/base/problem.ts'

/** Returns what the schema makes of the value. Throws VALIDATION with the fields that the schema refuses, renamed where `wireNames` has a name. */
export function parseInput<T>(schema: z.ZodType<T>, value: unknown, wireNames: Record<string, string> = {}): T {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const nameOf = (path: PropertyKey[]) => wireNames[path.join('.')] ?? path.join('.')
  throw new Problem('VALIDATION', { fields: result.error.issues.map(({ path, message }) => ({ field: nameOf(path), message })) })
}
