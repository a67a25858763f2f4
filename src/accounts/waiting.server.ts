import { sql } from 'drizzle-orm'
import { caseColumns, type WaitingCases } from '#src/kit/records/waiting.ts'

/** Requests to be an agent or vet, and vets whose papers wait for a check; the title is the type. */
export const peopleWaiting: WaitingCases = ({ locale }) => sql`
  select ${caseColumns({
    since: sql`coalesce(u.requested_type_at, u.created_at)`,
    title: sql`(select t.${sql.identifier(locale)} from user_types t where t.id = coalesce(u.requested_type_id, u.type_id))`,
    path: sql`'/admin/users/' || u.id`,
    person: sql`u.name`,
  })}
  from users u where u.erased_at is null and (u.requested_type_id is not null or (u.type_id = 5 and not u.vet_approved))`
