import { parseId } from '#src/kit/ids.ts'

/**
 * The state of a listing that an admin saw before a verdict, as text for a form: its version and its last verdict. A verdict does not change
 * the version, because the seller's open forms stay valid.
 */
export const seenMark = ({ version, lastVerdictId }: { version: number; lastVerdictId: number | null }): string =>
  `${version}.${lastVerdictId ?? 0}`

export const isSeenMark = (text: string): boolean => /^\d{1,9}\.\d{1,15}$/.test(text)

/** The id of the last verdict in a mark; 0 without one. */
export const verdictIdIn = (mark: string): number => Number(mark.split('.')[1] ?? 0)

/** A listing with the mark that the admin saw, as `7:2.15` in forms and addresses. */
export interface SeenListing {
  id: number
  seen: string
}

export const writeSeen = ({ id, seen }: SeenListing): string => `${id}:${seen}`

/** Null for any other text. */
export function readSeen(text: string): SeenListing | null {
  const [listing = '', seen = ''] = text.split(':')
  const id = parseId(listing)
  return id !== null && isSeenMark(seen) ? { id, seen } : null
}
