import { countText } from '#src/kit/text/count-text.ts'
import { m } from '#src/paraglide/messages.js'

/** The number of orders; the count stops at `upTo`. */
export const ordersCount = (count: number, upTo: number): string =>
  countText(count, upTo, { one: m.orders_count_one, many: m.orders_count, more: m.orders_count_more })
