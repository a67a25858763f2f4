import { sql } from 'drizzle-orm'
import type { WaitingCases } from '#src/kit/records/waiting.ts'
import { nameIn } from '#src/listings/fields/name-in.server.ts'
import { toLookAt } from './second-look-list.server.ts'
import { claimant, waiting } from './queue.server.ts'

export const listingsWaiting: WaitingCases = (ctx) => sql`
  select l.submitted_at as since, ${nameIn(ctx.locale)} as title, '/admin/verification?id=' || l.id as path, ${claimant(ctx)} as whose
  from listings l where ${waiting(ctx)}`

/** Changed words of passed listings (decisions.md §7.10). */
export const secondLooksWaiting: WaitingCases = (ctx) => sql`
  select s.created_at as since, ${nameIn(ctx.locale)} as title, '/admin/second-looks' as path, null::text as whose from ${toLookAt(ctx)}`
