import { sql } from 'drizzle-orm'
import { caseColumns, type WaitingCases } from '#src/kit/records/waiting.ts'
import { flagged } from './order-conditions.ts'

/** Orders that need attention, dated by their last step, with the buyer and their amount; the bearer handles them. */
export const ordersWaiting: WaitingCases = (ctx) => sql`
  select ${caseColumns({
    since: sql`orders.changed_at`,
    title: sql`orders.order_no`,
    path: sql`'/orders?q=' || orders.order_no`,
    person: sql`(select u.name from users u where u.id = orders.buyer_id)`,
    amount: sql`orders.unit_price * orders.count - orders.discount`,
    handler: sql`coalesce((select nullif(b.name, '') from bearers b where b.id = orders.listed_bearer_id),
      (select u.name from users u where u.id = orders.bearer_id))`,
  })}
  from orders where ${flagged(ctx.now)}`
