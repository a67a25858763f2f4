import { sql } from 'drizzle-orm'
import type { WaitingCases } from '#src/kit/db/waiting.ts'

/** People who asked to be an agent or a vet, and vets whose papers nobody has looked at. */
export const peopleWaiting: WaitingCases = () => sql`
  select coalesce(u.requested_type_at, u.created_at) as since, u.name as title, '/admin/users/' || u.id as path
  from users u where u.erased_at is null and (u.requested_type_id is not null or (u.type_id = 5 and not u.vet_approved))`
