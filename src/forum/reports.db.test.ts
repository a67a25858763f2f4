import { asc, eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { makeUser } from '../accounts/makers.server.ts'
import type { Viewer } from '../kit/context.ts'
import { daysBefore } from '#src/kit/time-money/dates.ts'
import { shareTestApp, type TestApp } from '#tools/test-kit/test-app.ts'
import { makeReply, makeThread } from './makers.server.ts'
import { flags, threads } from './tables.ts'
import { codeOf } from '#tools/test-kit/code-of.ts'

let app: TestApp
let selvi: Viewer & { phone: string }
let murugan: Viewer & { phone: string }
shareTestApp((opened) => (app = opened))
beforeEach(async () => {
  selvi = await makeUser(app.ctx, { name: 'Selvi', createdAt: daysBefore(app.ctx.now, 3) })
  murugan = await makeUser(app.ctx, { name: 'Murugan', typeId: 2, createdAt: daysBefore(app.ctx.now, 3) })
})

const post = (as: Viewer | null, path: string, json: unknown) => app.call(`/api/v1${path}`, { method: 'POST', as, csrf: true, json })

describe('reports', () => {
  test('are stored once per person and post; a second report replaces the first', async () => {
    const thread = await makeThread(app.ctx, { authorId: selvi.id })
    const reply = await makeReply(app.ctx, { threadId: thread, authorId: selvi.id })
    expect(await (await post(murugan, '/flag', { thread, reason: 'hate' })).json()).toEqual({ rows: 1 })
    expect((await post(murugan, '/flag', { thread, reason: 'fraud', comment: 'Sells what does not exist' })).status).toBe(200)
    expect((await post(murugan, '/flag', { reply, reason: 'harassment' })).status).toBe(200)
    const stored = await app.ctx.db.select().from(flags).where(eq(flags.reporterId, murugan.id)).orderBy(asc(flags.id))
    expect(stored).toMatchObject([
      { threadId: thread, replyId: null, reason: 'fraud', comment: 'Sells what does not exist', closedAt: null },
      { threadId: null, replyId: reply, reason: 'harassment' },
    ])
  })

  test('are refused about oneself, about hidden posts, and about missing posts', async () => {
    const thread = await makeThread(app.ctx, { authorId: selvi.id })
    const hidden = await makeThread(app.ctx, { authorId: selvi.id, state: 'hidden' })
    const under = await makeReply(app.ctx, { threadId: hidden, authorId: selvi.id })
    const flag = async (as: Viewer, json: object) => codeOf(await post(as, '/flag', json))
    expect(await flag(selvi, { thread, reason: 'hate' })).toBe('409 OWN_ROW')
    expect(await flag(murugan, { thread: hidden, reason: 'hate' })).toBe('404 NOT_FOUND')
    expect(await flag(murugan, { reply: under, reason: 'hate' })).toBe('404 NOT_FOUND')
    expect(await flag(murugan, { thread, reply: 1, reason: 'hate' })).toBe('422 VALIDATION thread')
    expect(await flag(murugan, { reason: 'hate' })).toBe('422 VALIDATION thread')
    expect(await flag(murugan, { thread })).toBe('422 VALIDATION reason')
    expect(await flag(murugan, { thread, reason: 'other' })).toBe('422 VALIDATION comment')
    expect(await app.ctx.db.$count(flags, eq(flags.reporterId, murugan.id))).toBe(0)
  })

  test('by three people silence a new person until an admin decides; a known person is not silenced', async () => {
    const novice = await makeUser(app.ctx)
    for (const [author, expected] of [
      [novice, '403 SILENCED'],
      [selvi, '200'],
    ] as const) {
      const thread = await makeThread(app.ctx, { authorId: author.id, createdAt: daysBefore(new Date(), 0.1) })
      const reply = await makeReply(app.ctx, { threadId: thread, authorId: author.id, createdAt: daysBefore(new Date(), 0.1) })
      const say = async (content: string) => codeOf(await post(author, '/thread', { content }))
      for (const at of [1, 2]) {
        const person = await makeUser(app.ctx)
        // One person who reports two posts counts once.
        await post(person, '/flag', { thread, reason: 'advertising' })
        await post(person, '/flag', { reply, reason: 'advertising' })
        if (at === 2) {
          expect(await say('Before the third')).toBe('200')
          await app.ctx.db
            .update(threads)
            .set({ createdAt: daysBefore(new Date(), 0.1) })
            .where(eq(threads.authorId, author.id))
        }
      }
      await post(await makeUser(app.ctx), '/flag', { reply, reason: 'hate' })
      expect(await say('After the third')).toBe(expected)
    }
    expect(
      await codeOf(await post(novice, `/thread/Replies/id=${await makeThread(app.ctx, { authorId: selvi.id })}`, { reply: 'Hm' })),
    ).toBe('403 SILENCED')
    const admin = await makeUser(app.ctx, { typeId: 9 })
    await app.ctx.db.update(flags).set({ closedAt: new Date(), closedById: admin.id, outcome: 'left' })
    expect(await codeOf(await post(novice, '/thread', { content: 'After the review' }))).toBe('200')
  })
})
