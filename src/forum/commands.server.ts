import { createHash } from 'node:crypto'
import { and, eq, ne, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { audit } from '#src/kit/records/audit.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { DAY } from '#src/kit/time-money/dates.ts'
import { countLinks } from '#src/kit/text/links-in-text.ts'
import { notFound, Problem, invalidField } from '#src/kit/base/problem.ts'
import { epochMs, momentShape, oneRowOf } from '#src/kit/db/rows.server.ts'
import { wordsOf } from '#src/kit/text/sound-keys.ts'
import { requireLoggedIn } from '../accounts/policy.ts'
import { users } from '../accounts/tables.ts'
import { ensureShown } from './queries.server.ts'
import { isNew, isTooQuick, NEW_FOR_MS, NEW_LINKS, SAME_WORDS_MS, SILENCED_BY, THREADS_A_DAY, waitFor, type PostKind } from './rules.ts'
import { searchVectorOf } from './search.server.ts'
import { replies, threads } from './tables.ts'

export interface Posted {
  id: number
  /** True when an admin must look at it before it becomes public. */
  waits: boolean
}

interface Posting {
  /** How long the author typed; known only for our own forms. */
  typedMs?: number | null
  /** Widens the limits per person (`RateLimits.factorOf`). */
  limitFactor?: number
}

/** Posts a new discussion; content as in schemas.ts. Raises RATE_LIMITED, DUPLICATE, SILENCED, VALIDATION (too many links). */
export async function postThread(ctx: Ctx, content: string, posting: Posting = {}): Promise<Posted> {
  const { id: authorId } = requireLoggedIn(ctx)
  return inTransaction(ctx, async (ctx) => {
    const { contentHash, waits } = await ensureMayPost(ctx, 'thread', content, posting)
    const [thread] = await ctx.db
      .insert(threads)
      .values({
        authorId,
        content,
        contentHash,
        state: waits ? 'review' : 'shown',
        createdAt: ctx.now,
        lastPostAt: ctx.now,
        searchKeys: searchVectorOf(content),
      })
      .returning({ id: threads.id })
    await audit(ctx, 'forum_thread_posted', `thread:${thread!.id}`, { waits })
    return { id: thread!.id, waits }
  })
}

/** Posts a reply to a public discussion. Raises NOT_FOUND, and the refusals of `postThread`. */
export async function postReply(ctx: Ctx, threadId: number, reply: string, posting: Posting = {}): Promise<Posted> {
  const { id: authorId } = requireLoggedIn(ctx)
  await ensureShown(ctx, threadId)
  return inTransaction(ctx, async (ctx) => {
    const { contentHash, waits } = await ensureMayPost(ctx, 'reply', reply, posting)
    // Fails when the discussion was removed concurrently.
    const [thread] = await ctx.db
      .update(threads)
      .set(waits ? { lastPostAt: sql`${threads.lastPostAt}` } : { repliesCount: sql`${threads.repliesCount} + 1`, lastPostAt: ctx.now })
      .where(and(eq(threads.id, threadId), eq(threads.state, 'shown')))
      .returning({ id: threads.id })
    if (!thread) throw notFound()
    const [row] = await ctx.db
      .insert(replies)
      .values({ threadId, authorId, content: reply, contentHash, state: waits ? 'review' : 'shown', createdAt: ctx.now })
      .returning({ id: replies.id })
    await audit(ctx, 'forum_reply_posted', `reply:${row!.id}`, { thread: threadId, waits })
    return { id: row!.id, waits }
  })
}

/** Hashes the words only: another whitespace, case or punctuation is still the same text. */
const hashOf = (content: string): Buffer =>
  createHash('sha256')
    .update(wordsOf(content).join(' ') || content)
    .digest()

/** Checks all limits of L5 under a lock on the author's row, so that a person's concurrent posts are counted one after the other. */
async function ensureMayPost(
  ctx: Ctx,
  kind: PostKind,
  content: string,
  { typedMs = null, limitFactor = 1 }: Posting,
): Promise<{ contentHash: Buffer; waits: boolean }> {
  const { id } = requireLoggedIn(ctx)
  const [author] = await ctx.db
    .select({ since: users.createdAt, isActive: users.isActive })
    .from(users)
    .where(eq(users.id, id))
    .for('no key update')
  if (!author?.isActive) throw new Problem('AUTH_REQUIRED')
  const { since } = author
  const contentHash = hashOf(content)
  const facts = await writtenBy(ctx, id, since, { contentHash, limitFactor })
  if (facts.reporters >= SILENCED_BY) throw new Problem('SILENCED')
  if (isNew(since, ctx.now) && countLinks(content) > NEW_LINKS)
    throw invalidField(kind === 'thread' ? 'content' : 'reply', 'field_forum_links')
  if (facts.isSame) throw new Problem('DUPLICATE')
  const { count, lastAt } = facts[kind]
  const wait = waitFor(kind, { since, count, lastAt, twentiethAt: facts.twentiethAt }, ctx.now, limitFactor)
  if (wait > 0) throw new Problem('RATE_LIMITED', { retryAfterSeconds: wait })
  return { contentHash, waits: facts.thread.count + facts.reply.count === 0 && isTooQuick(typedMs) }
}

/** The values that the limits check, in one statement. A post that its author deleted counts, too, but its words may be posted again. */
async function writtenBy(ctx: Ctx, id: number, since: Date, { contentHash, limitFactor }: { contentHash: Buffer; limitFactor: number }) {
  const at = (date: Date) => sql`${date.toISOString()}::timestamptz`
  const own = sql`author_id = ${id}::bigint`
  const written = (table: SQL) =>
    sql`(select json_build_object('count', count(*), 'lastAt', ${epochMs(sql`max(created_at)`)}) from ${table} where ${own})`
  const same = sql`${own} and created_at > ${at(new Date(ctx.now.getTime() - SAME_WORDS_MS))} and state <> 'deleted' and content_hash = decode(${contentHash.toString('hex')}, 'hex')`
  return oneRowOf(
    ctx,
    sql`
    select ${written(sql`threads`)} as thread, ${written(sql`replies`)} as reply,
      (select ${epochMs(sql`created_at`)} from threads where ${own} and created_at > ${at(new Date(ctx.now.getTime() - DAY))}
        order by created_at desc offset ${THREADS_A_DAY * limitFactor - 1} limit 1) as "twentiethAt",
      exists (select 1 from threads where ${same}) or exists (select 1 from replies where ${same}) as "isSame",
      (select count(distinct f.reporter_id)::int from flags f where f.closed_at is null and f.created_at < ${at(new Date(since.getTime() + NEW_FOR_MS))}
        and (f.thread_id in (select id from threads where ${own}) or f.reply_id in (select id from replies where ${own}))) as reporters`,
    factsShape,
  )
}

const writtenShape = z.object({ count: z.number(), lastAt: momentShape.nullable() })
const factsShape = z.object({
  thread: writtenShape,
  reply: writtenShape,
  twentiethAt: momentShape.nullable(),
  isSame: z.boolean(),
  reporters: z.number(),
})

/** Deletes one's own discussion. Raises NOT_FOUND for another person's, and the second time. */
export async function deleteThread(ctx: Ctx, id: number): Promise<void> {
  const viewer = requireLoggedIn(ctx)
  await inTransaction(ctx, async (ctx) => {
    const gone = await ctx.db
      .update(threads)
      .set({ state: 'deleted' })
      .where(and(eq(threads.id, id), eq(threads.authorId, viewer.id), ne(threads.state, 'deleted')))
      .returning({ id: threads.id })
    if (gone.length === 0) throw notFound()
    await audit(ctx, 'forum_thread_deleted', `thread:${id}`)
  })
}

/** Deletes one's own reply; returns its discussion's id. */
export async function deleteReply(ctx: Ctx, id: number): Promise<{ threadId: number }> {
  const viewer = requireLoggedIn(ctx)
  return inTransaction(ctx, async (ctx) => {
    const [reply] = await ctx.db
      .select({ threadId: replies.threadId, state: replies.state })
      .from(replies)
      .where(and(eq(replies.id, id), eq(replies.authorId, viewer.id), ne(replies.state, 'deleted')))
      .for('no key update')
    if (!reply) throw notFound()
    await ctx.db.update(replies).set({ state: 'deleted' }).where(eq(replies.id, id))
    if (reply.state === 'shown') await countReplies(ctx, reply.threadId, -1)
    await audit(ctx, 'forum_reply_deleted', `reply:${id}`)
    return { threadId: reply.threadId }
  })
}

/** Updates the count after a reply became public or disappeared. */
export async function countReplies(ctx: Ctx, threadId: number, change: 1 | -1): Promise<void> {
  await ctx.db
    .update(threads)
    .set({ repliesCount: sql`${threads.repliesCount} + ${change}` })
    .where(eq(threads.id, threadId))
}
