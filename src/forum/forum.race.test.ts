import { and, eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { makeUser } from '../accounts/makers.server.ts'
import type { Ctx, Viewer } from '../kit/context.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { daysBefore } from '#src/kit/time-money/dates.ts'
import { Problem } from '#src/kit/base/problem.ts'
import { meetingOf } from '#tools/test-kit/signal.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { refusalOf } from '#tools/test-kit/test-people.ts'
import { postReply, postThread } from './commands.server.ts'
import { likeThread, unlikeThread } from './likes.server.ts'
import { makeThread } from './makers.server.ts'
import { LIKES_A_DAY } from './rules.ts'
import { replies, threadLikes, threads } from './tables.ts'

const AT_ONCE = 8

let market: TestMarket
let author: Viewer
shareMarket((opened) => (market = opened))
beforeAll(async () => {
  author = await makeUser(market.ctx, { createdAt: daysBefore(market.ctx.now, 3) })
})

const tally = (ends: string[]) => Object.fromEntries([...Map.groupBy(ends, (end) => end)].map(([end, all]) => [end, all.length]))

describe(`${AT_ONCE} concurrent posts of one person`, () => {
  test('pass the limit once, discussions and replies alike', async () => {
    const thread = await makeThread(market.ctx, { authorId: author.id, createdAt: daysBefore(market.ctx.now, 1) })
    for (const [post, table] of [
      [(ctx: Ctx, words: string) => postThread(ctx, words), threads],
      [(ctx: Ctx, words: string) => postReply(ctx, thread, words), replies],
    ] as const) {
      const person = await makeUser(market.ctx)
      const ends = await Promise.all(Array.from({ length: AT_ONCE }, (_, n) => refusalOf(post(market.as(person), `Number ${n}`))))
      expect(tally(ends)).toEqual({ taken: 1, RATE_LIMITED: AT_ONCE - 1 })
      expect(await market.ctx.db.$count(table, eq(table.authorId, person.id))).toBe(1)
    }
  })

  test('with the same words are stored once', async () => {
    const person = await makeUser(market.ctx)
    const ends = await Promise.all(Array.from({ length: AT_ONCE }, () => refusalOf(postThread(market.as(person), 'A double tap'))))
    expect(tally(ends)).toEqual({ taken: 1, DUPLICATE: AT_ONCE - 1 })
  })

  test('control: counting without the lock lets both in', async () => {
    const person = await makeUser(market.ctx)
    const meet = meetingOf(2)
    const naive = (words: string) =>
      inTransaction(market.as(person), async (ctx) => {
        const mine = await ctx.db.$count(threads, eq(threads.authorId, person.id))
        if (mine > 0) throw new Problem('RATE_LIMITED', { retryAfterSeconds: 15 })
        await meet()
        await makeThread(ctx, { authorId: person.id, content: words })
      })
    expect(await Promise.all(['One', 'Two'].map((words) => refusalOf(naive(words))))).toEqual(['taken', 'taken'])
  })
})

describe('concurrent likes', () => {
  const countOf = async (id: number) => {
    const [thread] = await market.ctx.db.select().from(threads).where(eq(threads.id, id))
    return [thread!.likesCount, await market.ctx.db.$count(threadLikes, eq(threadLikes.threadId, id))]
  }

  test('of one person count once, of many each once, and taking them back removes them', async () => {
    const id = await makeThread(market.ctx, { authorId: author.id })
    const people: Viewer[] = []
    for (let n = 0; n < AT_ONCE; n++) people.push(await makeUser(market.ctx))
    await Promise.all(people.flatMap((person) => [1, 2, 3].map(() => likeThread(market.as(person), id))))
    expect(await countOf(id)).toEqual([AT_ONCE, AT_ONCE])
    await Promise.all(people.flatMap((person) => [1, 2].map(() => unlikeThread(market.as(person), id))))
    expect(await countOf(id)).toEqual([0, 0])
    await Promise.all(people.flatMap((person) => [likeThread(market.as(person), id), unlikeThread(market.as(person), id)]))
    const [count, rows] = await countOf(id)
    expect(count).toBe(rows)
  })

  test('control: checking and then counting without a lock counts one person twice', async () => {
    const id = await makeThread(market.ctx, { authorId: author.id })
    const meet = meetingOf(2)
    const naive = async (ctx: Ctx) => {
      const has = await ctx.db.$count(threadLikes, and(eq(threadLikes.threadId, id), eq(threadLikes.userId, ctx.viewer!.id)))
      if (has > 0) return
      await meet()
      await ctx.db.insert(threadLikes).values({ threadId: id, userId: ctx.viewer!.id }).onConflictDoNothing()
      await ctx.db
        .update(threads)
        .set({ likesCount: sql`${threads.likesCount} + 1` })
        .where(eq(threads.id, id))
    }
    await Promise.all([naive(market.as(author)), naive(market.as(author))])
    expect(await countOf(id)).toEqual([2, 1])
  })

  test('pass the day’s limit exactly as often as it allows', async () => {
    const person = await makeUser(market.ctx)
    const ids: number[] = []
    for (let n = 0; n < LIKES_A_DAY + 4; n++) ids.push(await makeThread(market.ctx, { authorId: author.id }))
    await market.ctx.db.insert(threadLikes).values(ids.slice(0, LIKES_A_DAY - 1).map((threadId) => ({ threadId, userId: person.id })))
    const ends = await Promise.all(ids.slice(LIKES_A_DAY - 1).map((id) => refusalOf(likeThread(market.as(person), id))))
    expect(tally(ends)).toEqual({ taken: 1, RATE_LIMITED: 4 })
  })
})
