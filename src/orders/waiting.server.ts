import { sql } from 'drizzle-orm'
import type { WaitingCases } from '#src/kit/records/waiting.ts'
import { flagged } from './order-conditions.ts'

/** Orders that need attention, dated by their last step and assigned to their bearer. */
export const ordersWaiting: WaitingCases = (ctx) => sql`
  select orders.changed_at as since, orders.order_no as title, '/orders?q=' || orders.order_no as path,
    coalesce((select b.name from bearers b where b.id = orders.listed_bearer_id), (select u.name from users u where u.id = orders.bearer_id)) as whose
  from orders where ${flagged(ctx.now)}`
