import { and, eq } from 'drizzle-orm'
import type { Ctx } from '#src/kit/context.ts'
import type { Locale } from '#src/kit/locale.ts'
import type { NewMessage } from '#src/kit/outbox.server.ts'
import { isHere, users } from './tables.ts'

/** So many letters of a name stand in an SMS, which is read whole or not at all: the rest stands on the page it leads to. */
export const SMS_NAME = 40

/** Somebody to whom an SMS can go, in his own language. */
export interface Receiver {
  id: number
  phone: string
  locale: Locale
}

/** Null for who is not here any more, or was locked out. */
export async function findReceiver(ctx: Ctx, userId: number): Promise<Receiver | null> {
  const [person] = await ctx.db
    .select({ id: users.id, phone: users.phone, locale: users.locale })
    .from(users)
    .where(and(eq(users.id, userId), isHere))
  return person ?? null
}

/** For `queueMessage`. `template` and `variables` are what the provider has registered (kit/msg91.contract.md); `body` is the same as text. */
export const smsTo = (to: Receiver, template: string, variables: Record<string, string>, body: string): NewMessage => ({
  channel: 'sms',
  to: to.phone,
  userId: to.id,
  template,
  locale: to.locale,
  body,
  variables,
})
