import { and, desc, eq, inArray, sql } from 'drizzle-orm'
import type { Ctx } from '#src/kit/context.ts'
import type { AuditEvent } from '#src/kit/db/audit-events.ts'
import { auditEvents } from '#src/kit/db/tables.ts'
import { decidedMeanwhile } from '#src/kit/problem-text.ts'
import { Problem, type Sentence } from '#src/kit/base/problem.ts'
import type { Locale } from '#src/kit/text/locale.ts'
import { m } from '#src/paraglide/messages.js'
import { users } from './tables.ts'

export type DecisionDetails = typeof auditEvents.$inferSelect.details

/** How a refusal names each event. Null: the event changed the state, too, but was no decision. */
type EventTexts = Partial<Record<AuditEvent, ((details: DecisionDetails, locale: Locale) => string) | null>>

/** VERSION for a stale decision (decision 0112), with the person who decided first. Admins may read it, and a vet about a hold. */
export async function decidedBy(ctx: Ctx, { what, byId, at }: { what: Sentence; byId: number | null; at: Date }): Promise<Problem> {
  const [by] = byId === null ? [] : await ctx.db.select({ name: users.name }).from(users).where(eq(users.id, byId))
  return decidedMeanwhile({ what, by: (locale) => by?.name || m.profile_deleted_user({}, { locale }), at })
}

/** `decidedBy` from the audit trail, with the code of `otherwise`. Returns `otherwise` if the last event was no decision. */
export async function decidedInTrail(ctx: Ctx, object: string, texts: EventTexts, otherwise = new Problem('VERSION')) {
  const last = await findLastDecision(ctx, object, Object.keys(texts) as AuditEvent[])
  const textOf = last && texts[last.event as AuditEvent]
  // The actor of a step through a bearer's link is the admin who made the link, who did not decide.
  if (!textOf || last.details.bearer) return otherwise
  const what = (locale: Locale) => textOf(last.details, locale)
  const { sentence } = await decidedBy(ctx, { what, byId: last.actorId, at: last.at })
  return new Problem(otherwise.code, { sentence })
}

/** The last of these events about an object, for example `user:12`. `about`: only events that have these details. */
export async function findLastDecision(ctx: Ctx, object: string, events: AuditEvent[], about: DecisionDetails = {}) {
  const [last] = await ctx.db
    .select()
    .from(auditEvents)
    .where(
      and(
        eq(auditEvents.object, object),
        inArray(auditEvents.event, events),
        sql`${auditEvents.details} @> ${JSON.stringify(about)}::jsonb`,
      ),
    )
    .orderBy(desc(auditEvents.id))
    .limit(1)
  return last ?? null
}
