import { isClosed, isSold } from '#src/listings/rules.ts'

/**
 * The state of a cart line. `short`: less stock than wanted; `sold`: no stock; `closed`: its seller has been silent for a hundred days;
 * `gone`: withdrawn, in verification again, or of a deactivated seller. Only `ok` can be ordered.
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

/** Up to this stock, the line shows 'HURRY! Only N item(s) left' (B §9). */
const HURRY_AT_MOST = 10
/** False for a single animal, which is not a remainder (decisions.md §7.9). */
export const isHurried = ({ stock, firstStock }: { stock: number; firstStock: number }): boolean =>
  stock >= 1 && stock <= HURRY_AT_MOST && firstStock > 1
