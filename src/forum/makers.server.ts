import { createHash } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import type { Ctx } from '#src/kit/context.ts'
import { searchVectorOf } from './search.server.ts'
import { replies, threads } from './tables.ts'

const hash = (content: string) => createHash('sha256').update(content).digest()

/** A public discussion, unless overridden. Returns its id. */
export async function makeThread(
  ctx: Ctx,
  { authorId, ...changes }: Partial<typeof threads.$inferInsert> & { authorId: number | null },
): Promise<number> {
  const content = changes.content ?? 'என் பசுவுக்கு காய்ச்சல். என்ன செய்யலாம்?'
  const [thread] = await ctx.db
    .insert(threads)
    .values({ authorId, content, contentHash: hash(content), state: 'shown', searchKeys: searchVectorOf(content), ...changes })
    .returning({ id: threads.id })
  return thread!.id
}

/** A reply to a discussion, counted like any other. */
export async function makeReply(
  ctx: Ctx,
  { threadId, authorId, ...changes }: Partial<typeof replies.$inferInsert> & { threadId: number; authorId: number | null },
): Promise<number> {
  const content = changes.content ?? 'மருத்துவரை அழையுங்கள்.'
  const [reply] = await ctx.db
    .insert(replies)
    .values({ threadId, authorId, content, contentHash: hash(content), state: 'shown', ...changes })
    .returning({ id: replies.id, state: replies.state })
  if (reply!.state === 'shown')
    await ctx.db
      .update(threads)
      .set({ repliesCount: sql`${threads.repliesCount} + 1` })
      .where(eq(threads.id, threadId))
  return reply!.id
}
