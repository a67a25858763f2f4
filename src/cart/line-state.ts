import { isClosed, isSold } from '#src/listings/life/rules.ts'

/**
 * The state of a cart line. `short`: less stock than wanted; `sold`: no stock; `closed`: its seller has been silent for a hundred days;
 * `gone`: withdrawn, in verification again, or of a deactivated seller. Only `ok` can be ordered.
 */
type LineState = 'ok' | 'short' | 'sold' | 'closed' | 'gone'

export function lineStateOf(
  line: { count: number; isShown: boolean; isSold: boolean; stock: number; touchedAt: Date },
  now: Date,
): LineState {
  if (!line.isShown) return 'gone'
  if (isSold(line)) return 'sold'
  if (isClosed(line, now)) return 'closed'
  return line.stock < line.count ? 'short' : 'ok'
}
