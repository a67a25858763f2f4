/** Lists count their rows exactly up to this number; above it they show "1,000+". */
export const COUNT_UP_TO = 1000

/**
 * Keyset paging: a cursor holds the last row's sort value and id, and is opaque to callers. An unreadable cursor (typed by hand, from another list)
 * gives the first page, never an error.
 * `list` names the sort order and everything else that decides which rows the list contains. A cursor of one list used in another would silently skip
 * rows.
 */
export interface Cursor {
  value: string
  id: number
}

export function encodeCursor(list: string, cursor: Cursor): string {
  return btoa(`${list}|${cursor.value}|${cursor.id}`).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** Returns null unless the cursor belongs to this list and its value matches `valuePattern`. */
export function decodeCursor(text: string | null, list: string, valuePattern: RegExp): Cursor | null {
  if (!text || text.length > 120 || !/^[\w-]+$/.test(text)) return null
  let parts: string[]
  try {
    parts = atob(text.replaceAll('-', '+').replaceAll('_', '/')).split('|')
  } catch {
    return null
  }
  const [madeFor, value, id] = parts
  if (parts.length !== 3 || madeFor !== list || !valuePattern.test(value!) || !/^\d{1,15}$/.test(id!)) return null
  return { value: value!, id: Number(id) }
}

/** A short hash (FNV-1a, 32 bits) of a long list description. It detects mix-ups, not forgeries. */
export function shortHash(text: string): string {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return (hash >>> 0).toString(36)
}
