import { and, desc, eq, ne, notInArray, sql } from 'drizzle-orm'
import { z } from 'zod'
import { leftTo } from '#src/kit/text/text.ts'
import type { Ctx } from '#src/kit/context.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { noteShown, queueMessage } from '#src/kit/messages/outbox.server.ts'
import { localized } from '#src/kit/text/locale.ts'
import { notFound, invalidField } from '#src/kit/base/problem.ts'
import { tally } from '#src/kit/base/tally.server.ts'
import { m } from '#src/paraglide/messages.js'
import { requireLoggedIn } from '../policy.ts'
import { deviceOf } from '../device-name.server.ts'
import { pushDevices, sessions } from '../tables.ts'
import { isMarkFor } from './marks.server.ts'
import { isPushEndpoint, MAX_ENDPOINT } from './push-hosts.server.ts'

/** Above this number, the device that was added first is removed. */
const MAX_DEVICES = 10

export const pushSubscription = z.strictObject({
  endpoint: leftTo('isPushEndpoint', z.string('field_wrong').max(MAX_ENDPOINT, 'field_wrong')),
  keys: z.strictObject({
    // `p256dh` is an uncompressed point on P-256; `auth` is sixteen random bytes.
    p256dh: z.string('field_wrong').regex(/^B[\w-]{86}$/, 'field_wrong'),
    auth: z.string('field_wrong').regex(/^[\w-]{22}$/, 'field_wrong'),
  }),
})
export type PushSubscription = z.output<typeof pushSubscription>

/**
 * Registers this browser for the viewer's notifications until this session ends. Idempotent; the browser belongs to the person who is
 * logged in there. A browser that changes its owner gets a new id, which is returned, so that marks in the former owner's messages no longer
 * authorize anything. VALIDATION for a push service that is neither known nor in `origins`.
 */
export async function addDevice(
  ctx: Ctx,
  { endpoint, keys }: PushSubscription,
  { userAgent, origins }: { userAgent: string; origins: readonly string[] },
): Promise<number> {
  const { id: userId } = requireLoggedIn(ctx)
  if (!isPushEndpoint(endpoint, origins)) throw invalidField('endpoint', 'field_push_endpoint')
  return inTransaction(ctx, async (ctx) => {
    // Lock the session, so that a concurrent logout removes the device, too.
    const [session] = await ctx.db
      .select({ id: sessions.id })
      .from(sessions)
      .where(and(eq(sessions.id, ctx.sessionId ?? 0), eq(sessions.userId, userId)))
      .for('update')
    if (!session) throw notFound()
    // Lock the address: of two people who subscribe at the same instant, the second would update the row of the first and take over its id.
    await ctx.db.execute(sql`select pg_advisory_xact_lock(hashtext(${`push:${endpoint}`}))`)
    await ctx.db.delete(pushDevices).where(and(eq(pushDevices.endpoint, endpoint), ne(pushDevices.userId, userId)))
    const device = { userId, sessionId: session.id, endpoint, ...keys, device: deviceOf(userAgent) }
    const [stored] = await ctx.db
      .insert(pushDevices)
      .values(device)
      .onConflictDoUpdate({ target: pushDevices.endpoint, set: { ...device, createdAt: sql`now()` } })
      .returning({ id: pushDevices.id })
    await welcome(ctx, userId, stored!.id)
    const newest = ctx.db
      .select({ id: pushDevices.id })
      .from(pushDevices)
      .where(eq(pushDevices.userId, userId))
      .orderBy(desc(pushDevices.createdAt), desc(pushDevices.id))
      .limit(MAX_DEVICES)
    await ctx.db.delete(pushDevices).where(and(eq(pushDevices.userId, userId), notInArray(pushDevices.id, newest)))
    return stored!.id
  })
}

/** Sent at once, also at night: the person has just switched notifications on and waits for it. */
const welcome = (ctx: Ctx, userId: number, device: number) =>
  queueMessage(ctx, {
    channel: 'push',
    to: String(device),
    userId,
    template: 'push-welcome',
    locale: ctx.locale,
    body: m.push_welcome({}, { locale: ctx.locale }),
    variables: { link: ctx.publicOrigin + localized(`/userprofile/${userId}#push`, ctx.locale) },
    maxAttempts: 1,
  })

/** The viewer's own devices, newest first. `isThis`: the device of this session. */
export async function listDevices(
  ctx: Ctx,
): Promise<{ id: number; device: string; createdAt: Date; shownAt: Date | null; isThis: boolean }[]> {
  const { id } = requireLoggedIn(ctx)
  const newestFirst = [desc(pushDevices.createdAt), desc(pushDevices.id)]
  const rows = await ctx.db
    .select()
    .from(pushDevices)
    .where(eq(pushDevices.userId, id))
    .orderBy(...newestFirst)
  return rows.map((row) => ({
    id: row.id,
    device: row.device,
    createdAt: row.createdAt,
    shownAt: row.shownAt,
    isThis: row.sessionId === ctx.sessionId,
  }))
}

/** Removes one of the viewer's devices. NOT_FOUND when it is another person's or unknown. */
export async function removeDevice(ctx: Ctx, id: number): Promise<void> {
  const viewer = requireLoggedIn(ctx)
  const removed = await ctx.db
    .delete(pushDevices)
    .where(and(eq(pushDevices.id, id), eq(pushDevices.userId, viewer.id)))
    .returning({ id: pushDevices.id })
  if (removed.length === 0) throw notFound()
}

/** A device reports that it has shown a message. The mark in the message authorises the report; NOT_FOUND without it. */
export async function acknowledge(ctx: Ctx, { id, mark }: Marked): Promise<void> {
  if (!isMarkFor(ctx.vault, 'shown', id, mark)) throw notFound()
  const shown = await noteShown(ctx, id)
  // Messages are deleted after a month, so the row may be gone.
  if (!shown) return
  tally('sandhai_messages_total', { channel: 'push', template: shown.template, outcome: shown.isInTime ? 'shown' : 'shown_late' })
  await ctx.db
    .update(pushDevices)
    .set({ shownAt: sql`now()` })
    .where(eq(pushDevices.id, shown.device))
}

/** The "stop" button in a notification. */
export async function stopDevice(ctx: Ctx, { id, mark }: Marked): Promise<void> {
  if (!isMarkFor(ctx.vault, 'stop', id, mark)) throw notFound()
  await ctx.db.delete(pushDevices).where(eq(pushDevices.id, id))
}

interface Marked {
  id: number
  mark: string
}
