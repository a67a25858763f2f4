import { and, asc, eq, inArray, ne, sql } from 'drizzle-orm'
import type { Ctx } from '#src/kit/context.ts'
import { columnsOf } from '#src/kit/db/columns.ts'
import { users } from '../accounts/tables.ts'
import { flags, replies, threadLikes, threads } from './tables.ts'

export async function exportPerson(ctx: Ctx, userId: number): Promise<object> {
  const { db } = ctx
  const post = ['id', 'content', 'state', 'reason', 'createdAt'] as const
  return {
    forumThreads: await db
      .select(columnsOf(threads, ...post))
      .from(threads)
      .where(eq(threads.authorId, userId))
      .orderBy(asc(threads.id)),
    forumReplies: await db
      .select(columnsOf(replies, ...post, 'threadId'))
      .from(replies)
      .where(eq(replies.authorId, userId))
      .orderBy(asc(replies.id)),
    forumLikes: await db
      .select({ threadId: threadLikes.threadId, createdAt: threadLikes.createdAt })
      .from(threadLikes)
      .where(eq(threadLikes.userId, userId)),
    // Reports about the person are not exported: they are the reporters' data.
    forumFlags: await db
      .select(columnsOf(flags, 'threadId', 'replyId', 'reason', 'comment', 'createdAt'))
      .from(flags)
      .where(eq(flags.reporterId, userId))
      .orderBy(asc(flags.id)),
  }
}

/**
 * Runs in the erasure's transaction, before `forgetPerson`, when the person wants their posts removed: deletes replies and discussions; a
 * discussion that others answered stays as an empty placeholder above their answers.
 */
export async function removeWords(ctx: Ctx, userId: number): Promise<void> {
  await lockPerson(ctx, userId)
  await removeReplies(ctx, userId, sql`true`)
  await removeThreads(ctx, userId, sql`true`)
}

/** Runs in the erasure's transaction, when the person wants their reports removed, too. */
export async function removeReports(ctx: Ctx, userId: number): Promise<void> {
  await ctx.db.delete(flags).where(eq(flags.reporterId, userId))
}

/**
 * Runs in the erasure's transaction: public posts stay without an author; pending, hidden and deleted posts are removed. The person's likes
 * are deleted and no longer count. Their reports about others stay without a reporter.
 */
export async function forgetPerson(ctx: Ctx, userId: number): Promise<string[]> {
  const { db } = ctx
  await lockPerson(ctx, userId)
  await removeReplies(ctx, userId, ne(replies.state, 'shown'))
  await removeThreads(ctx, userId, ne(threads.state, 'shown'))
  await db.update(replies).set({ authorId: null }).where(eq(replies.authorId, userId))
  await db.update(threads).set({ authorId: null }).where(eq(threads.authorId, userId))
  const liked = await db.delete(threadLikes).where(eq(threadLikes.userId, userId)).returning({ id: threadLikes.threadId })
  if (liked.length > 0)
    await db
      .update(threads)
      .set({ likesCount: sql`${threads.likesCount} - 1` })
      .where(
        inArray(
          threads.id,
          liked.map(({ id }) => id),
        ),
      )
  return []
}

type Which = ReturnType<typeof ne> | ReturnType<typeof sql>

async function removeReplies({ db }: Ctx, userId: number, which: Which): Promise<void> {
  const gone = await db
    .delete(replies)
    .where(and(eq(replies.authorId, userId), which))
    .returning({ threadId: replies.threadId, state: replies.state })
  const counted = Map.groupBy(
    gone.filter(({ state }) => state === 'shown'),
    ({ threadId }) => threadId,
  )
  for (const [threadId, { length }] of [...counted].toSorted(([a], [b]) => a - b))
    await db
      .update(threads)
      .set({ repliesCount: sql`${threads.repliesCount} - ${length}` })
      .where(eq(threads.id, threadId))
}

async function removeThreads({ db }: Ctx, userId: number, which: Which): Promise<void> {
  const own = and(eq(threads.authorId, userId), which)
  const isAnswered = sql`exists (select 1 from replies p where p.thread_id = ${threads.id})`
  await db.delete(threads).where(and(own, sql`not ${isAnswered}`))
  await db
    .update(threads)
    .set({ state: 'deleted', content: '', contentHash: Buffer.alloc(0), searchKeys: '', reason: null, authorId: null })
    .where(own)
}

/** Blocks concurrent posts and likes of this person, which lock this row, too. */
async function lockPerson({ db }: Ctx, userId: number): Promise<void> {
  await db.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('no key update')
}
