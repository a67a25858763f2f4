import { m } from '#src/paraglide/messages.js'

/** How many there are; beyond `upTo` nobody counts. */
export function ordersCount(count: number, upTo: number): string {
  if (count === 1) return m.orders_count_one()
  return count >= upTo ? m.orders_count_more({ count: upTo.toLocaleString('en-IN') }) : m.orders_count({ count })
}
