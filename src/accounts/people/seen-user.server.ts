import { createHash } from 'node:crypto'
import { and, desc, eq, inArray } from 'drizzle-orm'
import type { Ctx } from '#src/kit/context.ts'
import type { AuditEvent } from '#src/kit/db/audit-events.ts'
import { auditEvents } from '#src/kit/db/tables.ts'
import { notFound, Problem } from '#src/kit/base/problem.ts'
import { m } from '#src/paraglide/messages.js'
import { decidedBy, findLastDecision, type DecisionDetails } from '../decided-meanwhile.server.ts'
import { internalTypeOf } from '../rules.ts'
import { users } from '../tables.ts'

type UserRow = typeof users.$inferSelect

/** The events of admins' decisions about a person. */
const decisions = {
  privilege_permissions_changed: m.users_event_rights,
  seller_badge_given: m.users_event_badge_given,
  seller_badge_withdrawn: m.users_event_badge_withdrawn,
  user_activated: m.users_event_activated,
  user_deactivated: m.users_event_deactivated,
  user_decision_undone: m.users_event_undone,
  user_type_decided: m.users_event_decided,
  vet_approval_changed: m.users_event_vet,
} satisfies Partial<Record<AuditEvent, unknown>>
export const eventNames = Object.keys(decisions) as (keyof typeof decisions)[]

/**
 * The state of a person that an admin saw before a decision, as text for a form: the last decision, and a hash of the facts that decisions rest on.
 * A page reads it before the facts that it shows, so a decision between the two reads is refused, never taken unseen.
 */
export async function seenUser(ctx: Ctx, id: number): Promise<string> {
  const [user] = await ctx.db.select().from(users).where(eq(users.id, id))
  if (!user) throw notFound()
  return markOf(user, await lastDecisionAbout(ctx, id))
}

/** `seenUser` of several people, without those who do not exist. Two statements. */
export async function seenUsers(ctx: Ctx, ids: number[]): Promise<Map<number, string>> {
  const objects = ids.map((id) => `user:${id}`)
  const last = await ctx.db
    .selectDistinctOn([auditEvents.object], { id: auditEvents.id, object: auditEvents.object })
    .from(auditEvents)
    .where(and(inArray(auditEvents.object, objects), inArray(auditEvents.event, eventNames)))
    .orderBy(auditEvents.object, desc(auditEvents.id))
  const rows = await ctx.db.select().from(users).where(inArray(users.id, ids))
  return new Map(rows.map((user) => [user.id, markOf(user, last.find(({ object }) => object === `user:${user.id}`) ?? null)]))
}

/**
 * Call it under the row's lock. Throws VERSION when the person was changed or decided about since the admin saw them (decision 0112). Returns false
 * when the admin sends their own decision again, which `isDone` recognises by its outcome.
 */
export async function isAsSeen(ctx: Ctx, user: UserRow, seen: string, isDone: (last: DecisionDetails) => boolean): Promise<boolean> {
  const last = await lastDecisionAbout(ctx, user.id)
  if (seen === markOf(user, last)) return true
  // Forms of older pages send nothing, and nobody knows what they showed.
  if (seen === '' || !last || !(last.id > Number(seen.split('.')[0]))) throw new Problem('VERSION')
  if (last.actorId === ctx.viewer?.id && isDone(last.details)) return false
  throw await decidedLast(ctx, last)
}

/** VERSION with the last decision about a person. */
export const decidedLast = (ctx: Ctx, { event, actorId: byId, at }: typeof auditEvents.$inferSelect) =>
  decidedBy(ctx, { what: (locale) => decisions[event as keyof typeof decisions]({}, { locale }), byId, at })

const lastDecisionAbout = (ctx: Ctx, id: number) => findLastDecision(ctx, `user:${id}`, eventNames)

function markOf(user: UserRow, last: { id: number } | null): string {
  const { name, phone, typeId, requestedTypeId, isActive, isVerified, verifiedNote, vetApproved, vetRegistration, degree } = user
  const pan = user.panSealed && Buffer.from(user.panSealed).toString('base64url')
  const rights = [typeId, requestedTypeId, internalTypeOf(user), isActive, vetApproved, vetRegistration]
  const facts = { name, phone, degree, pan, rights, isVerified, verifiedNote }
  const hash = createHash('sha256').update(JSON.stringify(facts)).digest('base64url').slice(0, 16)
  return `${last?.id ?? 0}.${hash}`
}
