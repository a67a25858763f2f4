import { isClosed, isSold } from '#src/listings/rules.ts'

/**
 * The state of a cart's line. `short`: fewer in stock than wanted; `sold`: none; `closed`: its seller has been silent for a hundred days;
 * `gone`: withdrawn, under verification again, or of a deactivated seller. Only `ok` can be ordered.
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
const HURRY_AT_MOST = 10
/** A single animal is not a remainder (decisions.md §7.9). */
export const isHurried = ({ stock, firstStock }: { stock: number; firstStock: number }): boolean =>
  stock >= 1 && stock <= HURRY_AT_MOST && firstStock > 1
