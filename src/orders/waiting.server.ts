import { sql } from 'drizzle-orm'
import type { WaitingCases } from '#src/kit/db/waiting.ts'
import { flagged } from './stalled.ts'

/** Orders that need attention, since their last step. */
export const ordersWaiting: WaitingCases = (ctx) => sql`
  select orders.changed_at as since, orders.order_no as title, '/orders?q=' || orders.order_no as path from orders where ${flagged(ctx.now)}`
