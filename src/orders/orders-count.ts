import { countText } from '#src/kit/count-text.ts'
import { m } from '#src/paraglide/messages.js'

/** How many orders there are; beyond `upTo` nobody counts. */
export const ordersCount = (count: number, upTo: number): string =>
  countText(count, upTo, { one: m.orders_count_one, many: m.orders_count, more: m.orders_count_more })
