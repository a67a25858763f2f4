import { and, asc, eq, isNull, or } from 'drizzle-orm'
import { users } from '#src/accounts/tables.ts'
import type { Ctx } from '#src/kit/context.ts'
import { newsletterSubscribers, tickets } from '#src/content/tables.ts'
import { ticketNumber } from '#src/content/support/ticket-schemas.ts'

export async function exportPerson(ctx: Ctx, userId: number): Promise<object> {
  const rows = await ctx.db.select().from(tickets).where(eq(tickets.userId, userId)).orderBy(asc(tickets.id))
  return {
    tickets: rows.map(({ id, name, phone, topic, content, createdAt, closedAt, note }) => ({
      number: ticketNumber(id),
      name,
      phone,
      topic,
      content,
      createdAt,
      closedAt,
      note,
    })),
  }
}

/**
 * Runs in the erasure's transaction if the person wants it: removes this address from the newsletter. The row of an unsubscribed address
 * stays, so that nothing is sent to it.
 */
export async function removeNewsletterAddress(ctx: Ctx, email: string): Promise<void> {
  const { email: address, unsubscribedAt } = newsletterSubscribers
  await ctx.db.delete(newsletterSubscribers).where(and(eq(address, email.toLowerCase()), isNull(unsubscribedAt)))
}

/** Runs in the erasure's transaction: deletes the person's tickets, and anonymous tickets with their number. */
export async function forgetPerson(ctx: Ctx, userId: number): Promise<string[]> {
  const [user] = await ctx.db.select({ phone: users.phone }).from(users).where(eq(users.id, userId))
  await ctx.db.delete(tickets).where(or(eq(tickets.userId, userId), user && eq(tickets.phone, user.phone)))
  return []
}
