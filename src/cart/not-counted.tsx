import { m } from '#src/paraglide/messages.js'
import type { CartLine } from './queries.server.ts'

/** Beside a total: the lines that it leaves out, by name. */
export function NotCounted({ lines }: { lines: CartLine[] }) {
  const names = lines.filter(({ state }) => state !== 'ok').map(({ name }) => name)
  return (
    names.length > 0 && <p className="text-sm font-semibold text-brick wrap-anywhere">{m.cart_total_hint({ names: names.join(', ') })}</p>
  )
}
