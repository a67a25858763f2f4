import { and, desc, eq, ne, type SQL } from 'drizzle-orm'
import type { AuditDetails } from '#src/kit/db/audit.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { auditEvents } from '#src/kit/db/tables.ts'
import { can, requireCan } from './policy.ts'
import { users } from './tables.ts'

/** How many events are shown; the whole trail is in the database. */
const SHOWN_EVENTS = 50

interface HistoryEvent {
  id: number
  at: Date
  event: string
  details: AuditDetails
  /** Null: the market itself, or a command on its machine. */
  actorId: number | null
  /** Empty for somebody who was erased. */
  actorName: string | null
}

/** What was done to a person's account, the latest first. Only super admins see who has viewed it. */
export async function listHistory(ctx: Ctx, id: number): Promise<HistoryEvent[]> {
  requireCan(ctx, 'operate')
  const withoutReads: SQL | undefined = can(ctx.viewer, 'appoint-admins') ? undefined : ne(auditEvents.event, 'sensitive_read')
  const { at, event, details, actorId } = auditEvents
  return ctx.db
    .select({ id: auditEvents.id, at, event, details, actorId, actorName: users.name })
    .from(auditEvents)
    .leftJoin(users, eq(users.id, actorId))
    .where(and(eq(auditEvents.object, `user:${id}`), withoutReads))
    .orderBy(desc(auditEvents.id))
    .limit(SHOWN_EVENTS)
}
