import { and, eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Ctx } from '#src/kit/context.ts'
import { queueMessage, type NewMessage } from '#src/kit/messages/outbox.server.ts'
import { localeShape } from '#src/kit/db/rows.server.ts'
import type { Locale } from '#src/kit/text/locale.ts'
import { pushKinds } from './kinds.ts'
import { isHere, users } from '../tables.ts'

/** Maximum letters of a name in an SMS; the linked page shows the full name. */
export const SMS_NAME = 40

/** A person who can be notified in their language: on their devices first, else by SMS. */
export const receiverShape = z.object({
  id: z.number(),
  phone: z.string(),
  locale: localeShape,
  /** Ids of their `push_devices`. */
  devices: z.array(z.number()),
})
export type Receiver = z.output<typeof receiverShape>

/** Subquery for the devices of the person in this row. The outer column is qualified, because an unqualified "id" would be the device's. */
export const devicesOf = (userId: 'users.id' | 'u.id' = 'users.id') =>
  sql<number[]>`(select coalesce(json_agg(d.id order by d.id), '[]') from push_devices d where d.user_id = ${sql.raw(userId)})`

/** Null for an erased or deactivated person. */
export async function findReceiver(ctx: Ctx, userId: number): Promise<Receiver | null> {
  const [person] = await ctx.db
    .select({ id: users.id, phone: users.phone, locale: users.locale, devices: devicesOf() })
    .from(users)
    .where(and(eq(users.id, userId), isHere))
  return person ?? null
}

/**
 * For `queueMessage`. The provider knows `template` and `variables` (kit/messages/msg91.contract.md); `body` is the text. Templates in
 * kinds.ts go to the person's devices first; without `devices` the message goes by SMS.
 */
export const smsTo = (
  to: Pick<Receiver, 'id' | 'phone' | 'locale'> & { devices?: readonly number[] },
  template: string,
  variables: Record<string, string>,
  body: string,
): NewMessage => ({
  channel: 'sms',
  to: to.phone,
  userId: to.id,
  template,
  locale: to.locale,
  body,
  variables,
  devices: template in pushKinds ? (to.devices ?? []) : [],
})

/**
 * Queues a message to this person in their language, with the values that `valuesIn` makes. Nobody erased or deactivated
 * gets one. Call it in the transaction that causes the message.
 */
export async function notify<V>(
  ctx: Ctx,
  userId: number,
  template: string,
  text: (values: V, options: { locale: Locale }) => string,
  valuesIn: (locale: Locale) => V & Record<string, string>,
): Promise<void> {
  const receiver = await findReceiver(ctx, userId)
  if (!receiver) return
  const { locale } = receiver
  const values = valuesIn(locale)
  await queueMessage(ctx, smsTo(receiver, template, values, text(values, { locale })))
}
