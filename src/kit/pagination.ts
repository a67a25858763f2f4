/**
 * Keyset paging: a cursor is the last row's sort value and id. It is opaque to callers; one that cannot be read
 * (typed by hand, from an older sort order) means the first page, never an error.
 */
export interface Cursor {
  value: string
  id: number
}

export function encodeCursor(sort: string, cursor: Cursor): string {
  return btoa(`${sort}|${cursor.value}|${cursor.id}`).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** Null unless it was made for this sort order and its value fits `valuePattern`. */
export function decodeCursor(text: string | null, sort: string, valuePattern: RegExp): Cursor | null {
  if (!text || text.length > 120 || !/^[\w-]+$/.test(text)) return null
  let parts: string[]
  try {
    parts = atob(text.replaceAll('-', '+').replaceAll('_', '/')).split('|')
  } catch {
    return null
  }
  const [madeFor, value, id] = parts
  if (parts.length !== 3 || madeFor !== sort || !valuePattern.test(value!) || !/^\d{1,15}$/.test(id!)) return null
  return { value: value!, id: Number(id) }
}
