import { and, desc, eq, gte, lt, ne, sql, type SQL } from 'drizzle-orm'
import { can, requireCan } from '#src/accounts/policy.ts'
import { users } from '#src/accounts/tables.ts'
import { audit, auditHead, findBrokenSeal, type AuditDetails } from '#src/kit/records/audit.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { auditEvents } from '#src/kit/db/tables.ts'

const EVENTS_PER_PAGE = 50
const VIEW = 'sensitive_read'

export interface TrailFilter {
  /** The event's name in the trail; '' for all. */
  event: string
  /** For example "user:12"; '' for all. */
  object: string
  /** The person who acted; null for all. */
  actorId: number | null
  /** An Indian day; null for all. */
  day: string | null
  /** Keyset cursor: only events older than this id. */
  beforeId: number | null
}

interface TrailEvent {
  id: number
  at: Date
  event: string
  object: string
  details: AuditDetails
  /** Null when the market itself acted, or a command on its machine. */
  actorId: number | null
  /** Empty for an erased person. */
  actorName: string | null
}

/** A page of the audit trail, newest first. Only super admins see who has viewed what, when they filter by that event. */
export async function listTrail(
  ctx: Ctx,
  filter: TrailFilter,
  limit = EVENTS_PER_PAGE,
): Promise<{ events: TrailEvent[]; nextBeforeId: number | null }> {
  requireCan(ctx, 'operate')
  const { id, at, event, object, details, actorId } = auditEvents
  const rows = await ctx.db
    .select({ id, at, event, object, details, actorId, actorName: users.name })
    .from(auditEvents)
    .leftJoin(users, eq(users.id, actorId))
    .where(
      and(
        filter.event === VIEW && can(ctx.viewer, 'appoint-admins') ? undefined : ne(event, VIEW),
        filter.event === '' ? undefined : eq(event, filter.event),
        filter.object === '' ? undefined : eq(object, filter.object),
        filter.actorId === null ? undefined : eq(actorId, filter.actorId),
        filter.day === null ? undefined : onDay(filter.day),
        filter.beforeId === null ? undefined : lt(id, filter.beforeId),
      ),
    )
    .orderBy(desc(id))
    .limit(limit + 1)
  const events = rows.slice(0, limit)
  return { events, nextBeforeId: rows.length > limit ? events.at(-1)!.id : null }
}

function onDay(day: string): SQL | undefined {
  const start = sql`${`${day}T00:00+05:30`}::timestamptz`
  return and(gte(auditEvents.at, start), lt(auditEvents.at, sql`${start} + interval '1 day'`))
}

export type SealCheck = { isWhole: true; upTo: number } | { isWhole: false; position: number; eventId: number | null }

/** Verifies every seal from the first event on, and records the check itself. */
export async function checkSeals(ctx: Ctx): Promise<SealCheck> {
  requireCan(ctx, 'operate')
  const broken = await findBrokenSeal(ctx.db, ctx.vault)
  await audit(ctx, 'audit_checked', 'audit', { isWhole: broken === null })
  if (broken) return { isWhole: false, position: broken.position, eventId: broken.id }
  return { isWhole: true, upTo: (await auditHead(ctx.db))?.position ?? 0 }
}
