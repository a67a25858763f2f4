import type { Ctx } from '#src/kit/context.ts'
import type { AuditEvent } from '#src/kit/db/audit-events.ts'
import type { auditEvents } from '#src/kit/db/tables.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { takeBackMessage } from '#src/kit/messages/outbox.server.ts'
import { Problem } from '#src/kit/base/problem.ts'
import { MESSAGE_DELAY_SECONDS } from '#src/kit/undo-seconds.ts'
import { m } from '#src/paraglide/messages.js'
import { findLastDecision, type DecisionDetails } from './decided-meanwhile.server.ts'

/** Runs an act that can be undone: its messages wait until the undo time is over, and `heldIn` lists them. */
export const undoably = (ctx: Ctx, act: (ctx: Ctx) => Promise<void>): Promise<void> =>
  inTransaction(ctx, (ctx) => act({ ...ctx, held: { seconds: MESSAGE_DELAY_SECONDS, ids: [] } }))

/** The held messages as a detail of the act's audit event, which the act writes after it has queued them. */
export const heldIn = ({ held }: Ctx): DecisionDetails => (held ? { held: held.ids.join(',') } : {})

/** The refusal of a late undo at a desk whose acts send one message. */
export const undoLate = (code: Problem['code']) => new Problem(code, { sentence: (locale) => m.desk_undo_late({}, { locale }) })

interface Undo {
  object: string
  /** Only events that have these details. */
  about?: DecisionDetails
  /** All events that change what the act changed, the act's own included. */
  events: AuditEvent[]
  /** The event of the undo. Missing: `isUndo` knows it. */
  undone?: AuditEvent
  /** Needed when other acts write the same event. */
  isUndo?: (details: DecisionDetails) => boolean
  /** Somebody else decided since. */
  stale: (last: typeof auditEvents.$inferSelect) => Promise<Problem>
  late: Problem
}

/**
 * Deletes the messages of this admin's last act on the object, and returns the act's details; null when this admin has
 * undone it already. Call it in the transaction of the undo, under the object's lock. Throws `late` when the act is too
 * old, cannot be undone, or one of its messages is on its way.
 */
export async function takeBackAct(ctx: Ctx, { object, about, events, undone, isUndo, stale, late }: Undo): Promise<DecisionDetails | null> {
  const last = await findLastDecision(ctx, object, events, about)
  const isUndone = last && (!undone || last.event === undone) && isUndo?.(last.details) !== false
  if (isUndone && last.actorId === ctx.viewer?.id) return null
  if (typeof last?.details.held !== 'string') throw last && last.actorId !== ctx.viewer?.id ? await stale(last) : late
  if (last.actorId !== ctx.viewer?.id) throw await stale(last)
  if (ctx.now.getTime() - last.at.getTime() > MESSAGE_DELAY_SECONDS * 1000) throw late
  const ids = last.details.held.split(',').filter(Boolean)
  for (const id of ids) if (!(await takeBackMessage(ctx, Number(id)))) throw late
  return last.details
}
