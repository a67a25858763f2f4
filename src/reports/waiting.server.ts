import { sql } from 'drizzle-orm'
import type { WaitingCases } from '#src/kit/records/waiting.ts'

/** Each reported listing or seller once, dated by its first report. */
export const reportsWaiting: WaitingCases = () => sql`
  select min(r.created_at) as since, coalesce(min(l.name), min(u.name)) as title, 
    '/admin/reports?subject=' || coalesce('product-' || r.listing_id, 'seller-' || min(r.seller_id)) as path, null::text as whose
  from reports r join users u on u.id = r.seller_id left join listings l on l.id = r.listing_id
  where r.closed_at is null group by r.listing_id, case when r.listing_id is null then r.seller_id end`
