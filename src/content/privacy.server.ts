import { asc, eq, or } from 'drizzle-orm'
import { users } from '#src/accounts/tables.ts'
import type { Ctx } from '#src/kit/context.ts'
import { tickets } from './tables.ts'
import { ticketNumber } from './ticket-schemas.ts'

/** What support was asked by a person, for himself. */
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

/** In the transaction of the erasure: his tickets go, and those that bear his number though he was not logged in. */
export async function forgetPerson(ctx: Ctx, userId: number): Promise<string[]> {
  const [user] = await ctx.db.select({ phone: users.phone }).from(users).where(eq(users.id, userId))
  await ctx.db.delete(tickets).where(or(eq(tickets.userId, userId), user && eq(tickets.phone, user.phone)))
  return []
}
