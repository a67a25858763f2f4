/** How many a list has is counted, and said, exactly up to here; then "1,000+". */
export const COUNT_UP_TO = 1000

/**
 * Keyset paging: a cursor is the last row's sort value and id. It is opaque to callers; one that cannot be read
 * (typed by hand, from another list) means the first page, never an error.
 *
 * `list` names the list it was made for: the sort order and everything that decides what stands in it. A place in one list is no
 * place in another; a few rows would be missing, and nobody would see it.
 */
export interface Cursor {
  value: string
  id: number
}

export function encodeCursor(list: string, cursor: Cursor): string {
  return btoa(`${list}|${cursor.value}|${cursor.id}`).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** Null unless it was made for this list and its value fits `valuePattern`. */
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

/** A few letters for a long description of a list (FNV-1a, 32 bits): to notice a mix-up, not a forgery. */
export function shortHash(text: string): string {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return (hash >>> 0).toString(36)
}
