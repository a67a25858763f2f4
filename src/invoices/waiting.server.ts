import { sql } from 'drizzle-orm'
import type { WaitingCases } from '#src/kit/records/waiting.ts'

/** Sales whose payment to the seller is not settled, since their invoice; and those with a revoked settlement, since the revocation. */
export const moneyWaiting: WaitingCases = () => sql`
  select i.issued_at as since, i.snapshot->>'orderNo' as title, '/admin/money/' || i.owner_id as path, null::text as whose
  from invoices i where i.kind = 'commission' and i.settled_at is null
  union all
  select b.at, i.snapshot->>'orderNo', '/admin/money/' || i.owner_id, null
  from settlements b join invoices i on i.id = b.invoice_id
  where b.kind = 'back' and not exists (select 1 from settlements later where later.invoice_id = b.invoice_id and later.id > b.id)`
