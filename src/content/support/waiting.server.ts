import { sql } from 'drizzle-orm'
import { beginningOf, caseColumns, type WaitingCases } from '#src/kit/records/waiting.ts'

export const ticketsWaiting: WaitingCases = () => sql`
  select ${caseColumns({
    since: sql`t.created_at`,
    title: beginningOf(sql`t.content`),
    path: sql`'/admin/tickets?ticket=' || t.id`,
    person: sql`t.name`,
  })}
  from tickets t where t.closed_at is null`
