import { and, eq, isNotNull } from 'drizzle-orm'
import { users } from '#src/accounts/tables.ts'
import type { Ctx } from '#src/kit/context.ts'
import { newsletterSubscribers } from './tables.ts'

/** The newsletter knows people by their e-mail address alone. */
const ofPerson = (ctx: Ctx, userId: number) =>
  ctx.db
    .select({ email: users.email })
    .from(users)
    .where(and(eq(users.id, userId), isNotNull(users.email)))

/** What this domain knows of a person, for himself. */
export async function exportPerson(ctx: Ctx, userId: number): Promise<object> {
  return {
    newsletter: await ctx.db
      .select()
      .from(newsletterSubscribers)
      .where(eq(newsletterSubscribers.email, ofPerson(ctx, userId))),
  }
}

/** In the transaction of the erasure, while the person's row still has the address. */
export async function forgetPerson(ctx: Ctx, userId: number): Promise<string[]> {
  await ctx.db.delete(newsletterSubscribers).where(eq(newsletterSubscribers.email, ofPerson(ctx, userId)))
  return []
}
