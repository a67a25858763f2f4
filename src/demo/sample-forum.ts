import { z } from 'zod'
import { makeReply, makeThread } from '../forum/makers.server.ts'
import { flags, threadLikes, FLAG_REASONS } from '../forum/tables.ts'
import type { Ctx } from '../kit/context.ts'
import { daysBefore } from '#src/kit/time-money/dates.ts'
import threads from './sample-forum.json' with { type: 'json' }

// The sample market's forum: answered, liked, reported and pending posts.

const sampleReply = z.strictObject({ by: z.string(), words: z.string(), daysAgo: z.int() })
const sampleThread = sampleReply.extend({
  /** The post waits for an admin; all others are public. */
  waits: z.literal(true).optional(),
  likedBy: z.array(z.string()).optional(),
  replies: z.array(sampleReply).optional(),
  flag: z.strictObject({ by: z.string(), reason: z.enum(FLAG_REASONS), comment: z.string() }).optional(),
})

/** `by` is the key of a sample person. */
export const sampleThreads = z.array(sampleThread).parse(threads)

/** `people` is by sample key. */
export async function addSampleForum(ctx: Ctx, people: Map<string, number>): Promise<void> {
  const id = (key: string) => people.get(key)!
  for (const { by, words, daysAgo, waits, likedBy = [], replies = [], flag } of sampleThreads) {
    const createdAt = daysBefore(ctx.now, daysAgo)
    const state = waits ? 'review' : 'shown'
    const threadId = await makeThread(ctx, { authorId: id(by), content: words, state, createdAt, likesCount: likedBy.length })
    for (const key of likedBy) await ctx.db.insert(threadLikes).values({ threadId, userId: id(key), createdAt })
    for (const reply of replies)
      await makeReply(ctx, { threadId, authorId: id(reply.by), content: reply.words, createdAt: daysBefore(ctx.now, reply.daysAgo) })
    if (flag) await ctx.db.insert(flags).values({ reporterId: id(flag.by), threadId, reason: flag.reason, comment: flag.comment })
  }
}
