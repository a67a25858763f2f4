import { isClosed, isSold } from '#src/listings/rules.ts'

/**
 * How a line of a cart stands. `short`: there are fewer than are wanted; `sold`: none; `closed`: its seller has been silent for a
 * hundred days; `gone`: withdrawn, being verified anew, or of a seller who was deactivated. Only `ok` can be ordered.
 */
export type LineState = 'ok' | 'short' | 'sold' | 'closed' | 'gone'

export function lineStateOf(
  line: { count: number; isShown: boolean; isSold: boolean; stock: number; touchedAt: Date },
  now: Date,
): LineState {
  if (!line.isShown) return 'gone'
  if (isSold(line)) return 'sold'
  if (isClosed(line, now)) return 'closed'
  return line.stock < line.count ? 'short' : 'ok'
}

/** 'HURRY! Only N item(s) left' when there are this many or fewer (B §9). */
export const HURRY_AT_MOST = 10
