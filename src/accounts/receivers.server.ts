import { and, eq } from 'drizzle-orm'
import { z } from 'zod'
import type { Ctx } from '#src/kit/context.ts'
import type { NewMessage } from '#src/kit/messages/outbox.server.ts'
import { localeShape } from '#src/kit/db/rows.server.ts'
import { isHere, users } from './tables.ts'

/** Letters of a name in an SMS, which is read whole or not at all; the linked page has the full name. */
export const SMS_NAME = 40

/** Somebody to whom an SMS can go, in their own language. */
export const receiverShape = z.object({
  id: z.number(),
  phone: z.string(),
  locale: localeShape,
})
export type Receiver = z.output<typeof receiverShape>

/** Null for an erased or deactivated person. */
export async function findReceiver(ctx: Ctx, userId: number): Promise<Receiver | null> {
  const [person] = await ctx.db
    .select({ id: users.id, phone: users.phone, locale: users.locale })
    .from(users)
    .where(and(eq(users.id, userId), isHere))
  return person ?? null
}

/** For `queueMessage`. The provider knows `template` and `variables` (kit/messages/msg91.contract.md); `body` is the text. */
export const smsTo = (to: Receiver, template: string, variables: Record<string, string>, body: string): NewMessage => ({
  channel: 'sms',
  to: to.phone,
  userId: to.id,
  template,
  locale: to.locale,
  body,
  variables,
})
