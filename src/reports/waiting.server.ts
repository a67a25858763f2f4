import { sql } from 'drizzle-orm'
import { caseColumns, type WaitingCases } from '#src/kit/records/waiting.ts'
import { nameIn } from '#src/listings/fields/name-in.server.ts'

/** Each reported listing or seller once, dated by its first report. */
export const reportsWaiting: WaitingCases = ({ locale }) => sql`
  select ${caseColumns({
    since: sql`min(r.created_at)`,
    title: sql`coalesce(min(${nameIn(locale)}), min(u.name))`,
    path: sql`'/admin/reports?subject=' || coalesce('product-' || r.listing_id, 'seller-' || min(r.seller_id))`,
    person: sql`case when r.listing_id is not null then min(u.name) end`,
  })}
  from reports r join users u on u.id = r.seller_id left join listings l on l.id = r.listing_id
  where r.closed_at is null group by r.listing_id, case when r.listing_id is null then r.seller_id end`
