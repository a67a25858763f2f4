import { sql } from 'drizzle-orm'
import type { Ctx } from '#src/kit/context.ts'

/** The time columns of codes, limits and waits, by table. */
const moments = {
  otps: ['created_at', 'expires_at', 'ended_at', 'proved_at'],
  sessions: ['proof_until'],
  pending_registrations: ['created_at', 'expires_at'],
  failure_ladders: ['blocked_until', 'tried_at'],
  limit_counts: ['expire'],
  known_devices: ['created_at', 'seen_at'],
} as const

/** Simulates the passage of time for identity code, which uses the database's clock: moves all recorded times into the past. */
export async function letTimePass(ctx: Ctx, seconds: number): Promise<void> {
  for (const [table, columns] of Object.entries(moments)) {
    const earlier = columns.map((column) => sql`${sql.identifier(column)} = ${sql.identifier(column)} - make_interval(secs => ${seconds})`)
    await ctx.db.execute(sql`update ${sql.identifier(table)} set ${sql.join(earlier, sql`, `)}`)
  }
}
