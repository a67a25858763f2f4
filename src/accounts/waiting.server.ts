import { sql } from 'drizzle-orm'
import type { WaitingCases } from '#src/kit/records/waiting.ts'

/** Requests to be an agent or vet, and vets whose papers wait for a check. */
export const peopleWaiting: WaitingCases = () => sql`
  select coalesce(u.requested_type_at, u.created_at) as since, u.name as title, '/admin/users/' || u.id as path, null::text as whose
  from users u where u.erased_at is null and (u.requested_type_id is not null or (u.type_id = 5 and not u.vet_approved))`
