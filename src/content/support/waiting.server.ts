import { sql } from 'drizzle-orm'
import type { WaitingCases } from '#src/kit/records/waiting.ts'

export const ticketsWaiting: WaitingCases = () => sql`
  select t.created_at as since, t.name as title, '/admin/tickets?ticket=' || t.id as path, null::text as whose
  from tickets t where t.closed_at is null`
