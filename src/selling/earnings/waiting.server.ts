import { sql } from 'drizzle-orm'
import { caseColumns, type WaitingCases } from '#src/kit/records/waiting.ts'
import { isSale, sales } from './sales.server.ts'

/** Sales without an entry, and those with a revoked one. Two partial indexes find them, whatever the number of settled sales. */
const isUnrecorded = sql`o.id in (
  select i.order_id from invoices i where i.kind = 'commission' and i.settled_at is null
  union all select i.order_id from settlements e join invoices i on i.id = e.invoice_id where e.kind = 'back')`

/**
 * Each seller with unrecorded sales that have a balance, with the number of these sales and the sum of their balances; below 0 the seller owes
 * Sandhai. A case waits since the oldest delivery. The rest of a sale paid in part is no case: the money desk lists it.
 */
export const moneyWaiting: WaitingCases = () => sql`
  select ${caseColumns({
    since: sql`min(s.delivered_on)::timestamp at time zone 'Asia/Kolkata'`,
    path: sql`'/admin/money/' || s.seller_id`,
    person: sql`(select concat_ws(' ', nullif(u.name, ''), '#' || u.id) from users u where u.id = s.seller_id)`,
    amount: sql`sum(s.balance)`,
    sales: sql`count(*)`,
  })}
  from ${sales(sql`${isSale} and ${isUnrecorded}`)} s where s.balance <> 0 group by s.seller_id`
