import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { makeUser } from '../accounts/makers.server.ts'
import { users } from '../accounts/tables.ts'
import type { Viewer } from '../kit/context.ts'
import { DAY, daysBefore } from '#src/kit/time-money/dates.ts'
import { shareTestApp, type TestApp } from '#tools/test-kit/test-app.ts'
import { makeReply, makeThread } from './makers.server.ts'
import { LIKES_A_DAY } from './rules.ts'
import { replies, threadLikes, threads } from './tables.ts'
import { codeOf } from '#tools/test-kit/code-of.ts'

let app: TestApp
let selvi: Viewer & { phone: string }
let murugan: Viewer & { phone: string }
shareTestApp((opened) => (app = opened))
beforeEach(async () => {
  selvi = await makeUser(app.ctx, { name: 'Selvi', createdAt: daysBefore(app.ctx.now, 3) })
  murugan = await makeUser(app.ctx, { name: 'Murugan', typeId: 2, createdAt: daysBefore(app.ctx.now, 3) })
})

interface WireThread {
  id: number
  PostedBy: number | null
  PostedBy_name: string
  content: string
  likescount: number
  isliked: boolean
  repliescount: number
  thread_reply: { id: number; RepliedBy: number | null; RepliedBy_name: string; reply: string; thread: number }[]
}

const post = (as: Viewer | null, path: string, json?: unknown, method = 'POST') =>
  app.call(`/api/v1${path}`, { method, as, csrf: true, ...(json !== undefined && { json }) })
const list = (as: Viewer, query = '') => app.read<WireThread[]>(`/api/v1/thread${query}`, { as })
const stateOf = async (id: number) => (await app.ctx.db.select().from(threads).where(eq(threads.id, id)))[0]!

describe('row 53, a discussion', () => {
  test('is stored as plain text for a logged-in person, and comes first in the list', async () => {
    const content = '<b>How</b> much for a Kangayam cow?\nஎவ்வளவு?'
    const { id } = (await (await post(selvi, '/thread', { PostedBy: selvi.id, content })).json()) as { id: number }
    const [first] = await list(murugan)
    expect(first).toMatchObject({
      id,
      content,
      PostedBy: selvi.id,
      PostedBy_name: 'Selvi',
      likescount: 0,
      isliked: false,
      repliescount: 0,
      thread_reply: [],
    })
    expect(JSON.stringify(await list(murugan))).not.toMatch(new RegExp(`${selvi.phone.slice(1)}|phone`))
  })

  test.each<[string, object]>([
    ['422 VALIDATION content', {}],
    ['422 VALIDATION content', { content: ' \n ' }],
    ['422 VALIDATION content', { content: 7 }],
    ['422 VALIDATION content', { content: 'x'.repeat(5001) }],
    ['422 VALIDATION PostedBy', { PostedBy: 'me', content: 'A calf' }],
    ['403 IDENTITY_MISMATCH', { PostedBy: 999_999, content: 'A calf' }],
    ['422 VALIDATION likescount', { content: 'A calf', likescount: 100 }],
  ])('answers %s for %j', async (expected, body) => {
    const before = await app.ctx.db.$count(threads)
    expect(await codeOf(await post(selvi, '/thread', body))).toBe(expected)
    expect(await app.ctx.db.$count(threads)).toBe(before)
  })

  test('is refused to an anonymous visitor', async () => {
    expect(await codeOf(await post(null, '/thread', { content: 'A calf' }))).toBe('401 AUTH_REQUIRED')
    expect(await app.refused('/api/v1/thread')).toBe('401 AUTH_REQUIRED')
  })

  test('with the same words, in any spacing, is refused for five minutes', async () => {
    expect((await post(selvi, '/thread', { content: 'A calf is ill.' })).status).toBe(200)
    expect(await codeOf(await post(selvi, '/thread', { content: ' a  CALF is ill!!' }))).toBe('409 DUPLICATE')
    // Another person may have the same question.
    expect((await post(murugan, '/thread', { content: 'A calf is ill.' })).status).toBe(200)
    await app.ctx.db
      .update(threads)
      .set({ createdAt: new Date(Date.now() - 301_000) })
      .where(eq(threads.authorId, selvi.id))
    expect((await post(selvi, '/thread', { content: 'A calf is ill.' })).status).toBe(200)
  })

  test('is refused before the limits allow it, with the seconds to wait', async () => {
    await post(selvi, '/thread', { content: 'One' })
    const late = await post(selvi, '/thread', { content: 'Two' })
    expect(late.status).toBe(429)
    expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(Number(late.headers.get('retry-after'))).toBeLessThanOrEqual(15)
    const novice = await makeUser(app.ctx)
    await post(novice, '/thread', { content: 'One' })
    expect(Number((await post(novice, '/thread', { content: 'Two' })).headers.get('retry-after'))).toBeGreaterThan(100)
  })

  test('of a new person has at most two links; after a day more', async () => {
    const novice = await makeUser(app.ctx)
    const content = 'https://a.example https://b.example https://c.example'
    expect(await codeOf(await post(novice, '/thread', { content }))).toBe('422 VALIDATION content')
    expect((await post(novice, '/thread', { content: 'https://a.example https://b.example' })).status).toBe(200)
    expect((await post(selvi, '/thread', { content })).status).toBe(200)
  })
})

describe('row 52, the list', () => {
  test('omits pending, hidden and deleted discussions, for their author and admins too', async () => {
    const admin = await makeUser(app.ctx, { typeId: 9 })
    const ids: number[] = []
    for (const state of ['review', 'hidden', 'deleted'] as const) ids.push(await makeThread(app.ctx, { authorId: selvi.id, state }))
    for (const person of [selvi, murugan, admin]) expect((await list(person)).filter(({ id }) => ids.includes(id))).toEqual([])
  })

  test('continues by cursor, newest first or most liked, without repetition', async () => {
    const content = 'Ponni puthusu kelvi'
    const made: number[] = []
    for (let n = 0; n < 65; n++)
      made.push(
        await makeThread(app.ctx, {
          authorId: murugan.id,
          content,
          likesCount: n % 7,
          createdAt: new Date(app.ctx.now.getTime() - 1000 * Math.floor(n / 3)),
        }),
      )
    for (const sort of ['newest', 'liked']) {
      const query = `?sort=${sort}&q=puthusu`
      const first = await app.call(`/api/v1/thread${query}`, { as: selvi })
      const next = first.headers.get('x-next-cursor')
      const rows = [...((await first.json()) as WireThread[])]
      expect(rows).toHaveLength(60)
      const last = await app.call(`/api/v1/thread${query}&cursor=${next}`, { as: selvi })
      expect(last.headers.get('x-next-cursor')).toBeNull()
      rows.push(...((await last.json()) as WireThread[]))
      expect(rows.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual(made)
      const likes = rows.map(({ likescount }) => likescount)
      if (sort === 'liked') expect(likes).toEqual(likes.toSorted((a, b) => b - a))
      // A cursor of one list is invalid in another.
      expect(await app.refused(`/api/v1/thread?sort=${sort}&q=pasu&cursor=${next}`, { as: selvi })).toBe('422 VALIDATION')
    }
  })

  test.each([
    ['maadu', 'என் மாட்டை யாரோ பார்க்க வேண்டும்'],
    ['cow', 'என் பசுவுக்குக் காய்ச்சல்'],
    ['kangeyam', 'காங்கேயம் காளை வாங்கலாமா?'],
    ['தீவனம்', 'which theevanam is good?'],
    ['erode', 'ஈரோடு சந்தையில் விலை என்ன?'],
  ])('is searched by sound and by meaning: %s', async (q, content) => {
    const id = await makeThread(app.ctx, { authorId: murugan.id, content })
    await makeThread(app.ctx, { authorId: murugan.id, content: 'Xylophone' })
    const found = (await list(selvi, `?q=${encodeURIComponent(q)}`)).map((thread) => thread.id)
    expect(found).toContain(id)
    for (const nothing of ['zzqzzqzzq', 'qqqq', '%21%21']) expect(await list(selvi, `?q=${nothing}`), nothing).toEqual([])
  })
})

describe('rows 55 and 56, replies', () => {
  test('are in order of arrival, with ids from the server, and are counted', async () => {
    const thread = await makeThread(app.ctx, { authorId: selvi.id })
    const gone = await makeReply(app.ctx, { threadId: thread, authorId: null, content: 'From somebody who left' })
    const sent = await post(murugan, `/thread/Replies/id=${thread}`, { thread, RepliedBy: murugan.id, reply: 'Call the vet.' })
    const { id } = (await sent.json()) as { id: number }
    expect(await app.read(`/api/v1/thread/Replies/id=${thread}`, { as: selvi })).toMatchObject([
      { id: gone, RepliedBy: null, RepliedBy_name: 'Deleted user' },
      { id, thread, RepliedBy: murugan.id, RepliedBy_name: 'Murugan', reply: 'Call the vet.' },
    ])
    const [first] = (await list(selvi)).filter((each) => each.id === thread)
    expect(first).toMatchObject({ repliescount: 2, thread_reply: [{ id: gone }, { id, RepliedBy_name: 'Murugan' }] })
  })

  test('are refused in another’s name, with another discussion’s id, when empty, and to a deleted discussion', async () => {
    const thread = await makeThread(app.ctx, { authorId: selvi.id })
    const reply = 'Call the vet.'
    const send = async (to: number, json: object) => codeOf(await post(murugan, `/thread/Replies/id=${to}`, json))
    expect(await send(thread, { RepliedBy: selvi.id, reply })).toBe('403 IDENTITY_MISMATCH')
    expect(await send(thread, { thread: thread + 1, reply })).toBe('422 VALIDATION thread')
    expect(await send(thread, { reply: ' ' })).toBe('422 VALIDATION reply')
    expect(await send(thread, { reply: 'x'.repeat(3001) })).toBe('422 VALIDATION reply')
    expect(await send(999_999, { reply })).toBe('404 NOT_FOUND')
    for (const state of ['review', 'hidden', 'deleted'] as const) {
      const unseen = await makeThread(app.ctx, { authorId: murugan.id, state })
      expect(await send(unseen, { reply }), state).toBe('404 NOT_FOUND')
      expect(await app.refused(`/api/v1/thread/Replies/id=${unseen}`, { as: murugan })).toBe('404 NOT_FOUND')
    }
    expect(await app.ctx.db.$count(replies, eq(replies.authorId, murugan.id))).toBe(0)
  })

  test('continue by cursor', async () => {
    const thread = await makeThread(app.ctx, { authorId: selvi.id })
    const ids: number[] = []
    for (let n = 0; n < 61; n++) ids.push(await makeReply(app.ctx, { threadId: thread, authorId: murugan.id, content: `Reply ${n}` }))
    const first = await app.call(`/api/v1/thread/Replies/id=${thread}`, { as: selvi })
    expect(((await first.json()) as { id: number }[]).map(({ id }) => id)).toEqual(ids.slice(0, 60))
    const cursor = first.headers.get('x-next-cursor')
    expect(await app.read(`/api/v1/thread/Replies/id=${thread}?cursor=${cursor}`, { as: selvi })).toMatchObject([{ id: ids[60] }])
    const other = await makeThread(app.ctx, { authorId: selvi.id })
    expect(await app.refused(`/api/v1/thread/Replies/id=${other}?cursor=${cursor}`, { as: selvi })).toBe('422 VALIDATION')
  })
})

describe('row 54, likes', () => {
  test('count once per person, however often, and can be taken back', async () => {
    const thread = await makeThread(app.ctx, { authorId: selvi.id })
    const like = async (as: Viewer, method = 'POST') => (await post(as, `/thread/like/id=${thread}`, undefined, method)).json()
    expect(await like(murugan)).toEqual({ rows: 1, likescount: 1 })
    expect(await like(murugan)).toEqual({ rows: 1, likescount: 1 })
    expect(await like(selvi)).toEqual({ rows: 1, likescount: 2 })
    expect((await list(murugan)).find(({ id }) => id === thread)).toMatchObject({ likescount: 2, isliked: true })
    expect(await like(murugan, 'DELETE')).toEqual({ rows: 1, likescount: 1 })
    expect(await like(murugan, 'DELETE')).toEqual({ rows: 1, likescount: 1 })
    expect(await app.ctx.db.$count(threadLikes, eq(threadLikes.threadId, thread))).toBe(1)
  })

  test('are for public discussions, fifty a day', async () => {
    const hidden = await makeThread(app.ctx, { authorId: selvi.id, state: 'hidden' })
    expect(await codeOf(await post(selvi, `/thread/like/id=${hidden}`))).toBe('404 NOT_FOUND')
    const ids: number[] = []
    for (let n = 0; n <= LIKES_A_DAY; n++) ids.push(await makeThread(app.ctx, { authorId: selvi.id }))
    const rows = ids.slice(0, LIKES_A_DAY).map((threadId) => ({ threadId, userId: murugan.id, createdAt: new Date(Date.now() - DAY / 2) }))
    await app.ctx.db.insert(threadLikes).values(rows)
    const refused = await post(murugan, `/thread/like/id=${ids.at(-1)}`)
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(11 * 3600)
    expect((await stateOf(ids.at(-1)!)).likesCount).toBe(0)
    // A like may be repeated, and yesterday's likes do not count.
    expect((await post(murugan, `/thread/like/id=${ids[0]}`)).status).toBe(200)
    await app.ctx.db
      .update(threadLikes)
      .set({ createdAt: daysBefore(new Date(), 2) })
      .where(eq(threadLikes.threadId, ids[0]!))
    expect((await post(murugan, `/thread/like/id=${ids.at(-1)}`)).status).toBe(200)
  })
})

describe('deleting', () => {
  test('is for one’s own post, once; replies of others stay', async () => {
    const thread = await makeThread(app.ctx, { authorId: selvi.id })
    const reply = await makeReply(app.ctx, { threadId: thread, authorId: murugan.id })
    expect(await codeOf(await post(murugan, `/thread/id=${thread}`, undefined, 'DELETE'))).toBe('404 NOT_FOUND')
    expect(await codeOf(await post(selvi, `/thread/reply/id=${reply}`, undefined, 'DELETE'))).toBe('404 NOT_FOUND')
    expect((await post(murugan, `/thread/reply/id=${reply}`, undefined, 'DELETE')).status).toBe(200)
    expect((await stateOf(thread)).repliesCount).toBe(0)
    expect(await codeOf(await post(murugan, `/thread/reply/id=${reply}`, undefined, 'DELETE'))).toBe('404 NOT_FOUND')
    expect((await stateOf(thread)).repliesCount).toBe(0)
    expect(await app.read(`/api/v1/thread/Replies/id=${thread}`, { as: murugan })).toEqual([])
    expect((await post(selvi, `/thread/id=${thread}`, undefined, 'DELETE')).status).toBe(200)
    expect((await stateOf(thread)).state).toBe('deleted')
    expect((await list(selvi)).map(({ id }) => id)).not.toContain(thread)
  })
})

test('a deactivated person cannot post, even with a valid session', async () => {
  await app.ctx.db.update(users).set({ isActive: false }).where(eq(users.id, selvi.id))
  expect(await codeOf(await post(selvi, '/thread', { content: 'Still here' }))).toMatch(/^401|^403/)
})
