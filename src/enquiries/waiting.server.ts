import { sql } from 'drizzle-orm'
import { beginningOf, caseColumns, type WaitingCases } from '#src/kit/records/waiting.ts'

/** The amount is the acceptable price of one; an enquiry that is open to offers has none. */
export const enquiriesWaiting: WaitingCases = () => sql`
  select ${caseColumns({
    since: sql`e.created_at`,
    title: beginningOf(sql`e.description`),
    path: sql`'/admin/enquiries?enquiry=' || e.id`,
    person: sql`e.posted_for`,
    amount: sql`nullif(e.acceptable_price, 0)`,
  })}
  from enquiries e where e.is_verified is null and e.closed_at is null`
