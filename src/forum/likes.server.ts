import { and, eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Ctx } from '#src/kit/context.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { DAY } from '#src/kit/time-money/dates.ts'
import { notFound, Problem } from '#src/kit/base/problem.ts'
import { epochMs, oneRowOf } from '#src/kit/db/rows.server.ts'
import { requireLoggedIn } from '../accounts/policy.ts'
import { users } from '../accounts/tables.ts'
import { ensureShown } from './queries.server.ts'
import { LIKES_A_DAY } from './rules.ts'
import { threadLikes, threads } from './tables.ts'

/** Likes a discussion once per person; idempotent. Returns its number of likes. Raises NOT_FOUND, RATE_LIMITED. */
export async function likeThread(ctx: Ctx, threadId: number): Promise<number> {
  const { id: userId } = requireLoggedIn(ctx)
  await ensureShown(ctx, threadId)
  return inTransaction(ctx, async (ctx) => {
    // Lock the person's row, so that their concurrent likes are counted one after the other.
    await ctx.db.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('no key update')
    const added = await ctx.db
      .insert(threadLikes)
      .values({ threadId, userId, createdAt: ctx.now })
      .onConflictDoNothing()
      .returning({ threadId: threadLikes.threadId })
    if (added.length === 0) return likesOf(ctx, threadId)
    await ensureFewLikes(ctx, userId)
    return changeLikes(ctx, threadId, 1)
  })
}

/** Takes a like back; idempotent. */
export async function unlikeThread(ctx: Ctx, threadId: number): Promise<number> {
  const { id: userId } = requireLoggedIn(ctx)
  await ensureShown(ctx, threadId)
  return inTransaction(ctx, async (ctx) => {
    const removed = await ctx.db
      .delete(threadLikes)
      .where(and(eq(threadLikes.threadId, threadId), eq(threadLikes.userId, userId)))
      .returning({ threadId: threadLikes.threadId })
    return removed.length === 0 ? likesOf(ctx, threadId) : changeLikes(ctx, threadId, -1)
  })
}

const ensureFewLikesRow = z.object({ count: z.number(), firstAt: z.number() })

/** Checks the day's limit, including the new like. */
async function ensureFewLikes(ctx: Ctx, userId: number): Promise<void> {
  const since = new Date(ctx.now.getTime() - DAY).toISOString()
  const { count, firstAt } = await oneRowOf(
    ctx,
    sql`
    select count(*)::int as count, ${epochMs(sql`min(created_at)`)} as "firstAt"
    from thread_likes where user_id = ${userId}::bigint and created_at > ${since}::timestamptz`,
    ensureFewLikesRow,
  )
  if (count > LIKES_A_DAY)
    throw new Problem('RATE_LIMITED', { retryAfterSeconds: Math.max(1, Math.ceil((firstAt + DAY - ctx.now.getTime()) / 1000)) })
}

async function changeLikes(ctx: Ctx, threadId: number, by: 1 | -1): Promise<number> {
  const [thread] = await ctx.db
    .update(threads)
    .set({ likesCount: sql`${threads.likesCount} + ${by}` })
    .where(eq(threads.id, threadId))
    .returning({ likes: threads.likesCount })
  if (!thread) throw notFound()
  return thread.likes
}

async function likesOf(ctx: Ctx, threadId: number): Promise<number> {
  const [thread] = await ctx.db.select({ likes: threads.likesCount }).from(threads).where(eq(threads.id, threadId))
  return thread?.likes ?? 0
}
