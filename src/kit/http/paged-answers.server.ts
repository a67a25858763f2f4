import { z } from '@hono/zod-openapi'
import { answer } from './api.server.ts'
import { decodeCursor, type Cursor } from './pagination.ts'
import { Problem } from '#src/kit/problem.ts'

/** The query parameter of a list that goes on. */
export const cursorInQuery = z.string().optional().openapi({ description: 'X-Next-Cursor of the page before.' })

/** `answer` for a list that goes on behind a cursor. */
export const answerPage = <S extends z.ZodType>(description: string, schema: S) => ({
  ...answer(description, schema),
  headers: {
    'X-Next-Cursor': {
      description: 'Send it back as ?cursor= for the next page; missing on the last one.',
      schema: { type: 'string' as const },
    },
  },
})

/**
 * The place in `list` after which a call continues; null for the first page. VALIDATION for a cursor of another list: an API client
 * that is silently sent back to the first page would loop for ever.
 */
export function cursorOf(list: string, given: string | undefined, valuePattern: RegExp): Cursor | null {
  const cursor = decodeCursor(given ?? null, list, valuePattern)
  if (given !== undefined && !cursor) throw wrongCursor()
  return cursor
}

/** VALIDATION for a cursor that is not of this list. */
export const wrongCursor = () => new Problem('VALIDATION', { fields: [{ field: 'cursor', message: 'Not a cursor of this list.' }] })
