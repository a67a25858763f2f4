import { sql } from 'drizzle-orm'
import type { WaitingCases } from '#src/kit/records/waiting.ts'

export const enquiriesWaiting: WaitingCases = () => sql`
  select e.created_at as since, e.posted_for as title, '/admin/enquiries?enquiry=' || e.id as path, null::text as whose
  from enquiries e where e.is_verified is null and e.closed_at is null`
