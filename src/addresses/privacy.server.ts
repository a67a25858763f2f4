import { asc, eq, sql } from 'drizzle-orm'
import type { Ctx } from '#src/kit/context.ts'
import { addresses } from './tables.ts'

/** The data of this domain in a person's export. */
export async function exportPerson({ db }: Ctx, userId: number): Promise<object> {
  return { addresses: await db.select().from(addresses).where(eq(addresses.userId, userId)).orderBy(asc(addresses.id)) }
}

/** Empties the addresses. Their rows stay for listings and orders that name them. Call it in the erasure's transaction. */
export async function forgetPerson({ db }: Ctx, userId: number): Promise<string[]> {
  await db
    .update(addresses)
    .set({ name: '', phone: '', address1: '', address2: '', removedAt: sql`coalesce(${addresses.removedAt}, now())` })
    .where(eq(addresses.userId, userId))
  return []
}
