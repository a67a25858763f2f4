import { z } from '@hono/zod-openapi'
import { leftTo } from '#src/kit/text/text.ts'
import { invalidField } from '#src/kit/base/problem.ts'
import { answer } from './api.server.ts'
import { decodeCursor, type Cursor } from './pagination.ts'

/** The query parameter of a paged list. */
export const cursorInQuery = leftTo('decodeCursor', z.string()).optional().openapi({ description: 'X-Next-Cursor of the previous page.' })

/** `answer` for a list with a cursor. */
export const answerPage = <S extends z.ZodType>(description: string, schema: S) => ({
  ...answer(description, schema),
  headers: {
    'X-Next-Cursor': {
      description: 'Send it as ?cursor= to get the next page. Absent on the last page.',
      schema: { type: 'string' as const },
    },
  },
})

/**
 * Returns the cursor after which `list` continues; null for the first page. Throws VALIDATION for a cursor of another list, because an API client
 * silently sent back to the first page would loop for ever.
 */
export function cursorOf(list: string, text: string | undefined, valuePattern: RegExp): Cursor | null {
  const cursor = decodeCursor(text ?? null, list, valuePattern)
  if (text !== undefined && !cursor) throw wrongCursor()
  return cursor
}

export const wrongCursor = () => invalidField('cursor', 'Not a cursor of this list.')
