import { and, eq, isNull } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { makeUser } from '../accounts/makers.server.ts'
import type { Viewer } from '../kit/context.ts'
import { daysBefore } from '#src/kit/time-money/dates.ts'
import { auditEvents, outbox } from '#src/kit/db/tables.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { refusalOf } from '#tools/test-kit/test-people.ts'
import { deleteReply, deleteThread, postReply, postThread } from './commands.server.ts'
import { flagPost, getFlagSubject, type PostRef } from './flags.server.ts'
import { stampFor, typedSince } from './form-stamp.server.ts'
import { likeThread } from './likes.server.ts'
import { makeReply, makeThread } from './makers.server.ts'
import { getForDecision, hidePost, leavePost, listWaiting } from './moderation.server.ts'
import { exportPerson, forgetPerson, removeWords } from './privacy.server.ts'
import { getThread, listOwnUnseen, listReplies, listThreads } from './queries.server.ts'
import { flags, replies, threadLikes, threads } from './tables.ts'

let market: TestMarket
let selvi: Viewer & { phone: string }
let murugan: Viewer & { phone: string }
let admin: Viewer & { phone: string }
shareMarket((opened) => (market = opened))
beforeEach(async () => {
  await market.ctx.db.delete(threads)
  const since = { createdAt: daysBefore(market.ctx.now, 3) }
  selvi = await makeUser(market.ctx, { ...since, name: 'Selvi' })
  murugan = await makeUser(market.ctx, { ...since, name: 'Murugan', locale: 'en' })
  admin = await makeUser(market.ctx, { ...since, typeId: 9 })
})

const threadOf = async (id: number) => (await market.ctx.db.select().from(threads).where(eq(threads.id, id)))[0]!
const replyOf = async (id: number) => (await market.ctx.db.select().from(replies).where(eq(replies.id, id)))[0]!
const listed = async (viewer: Viewer) =>
  (await listThreads(market.as(viewer), { sort: 'newest', text: '', after: null, top: 60 })).threads.map(({ id }) => id)
const seenReplies = async (viewer: Viewer, id: number) =>
  (await listReplies(market.as(viewer), id, { top: 60 })).replies.map((reply) => reply.id)
const flag = (viewer: Viewer, post: PostRef, comment = '') => flagPost(market.as(viewer), post, { reason: 'harassment', comment })
const smsTo = (person: { phone: string }) =>
  market.ctx.db.select().from(outbox).where(eq(outbox.recipient, person.phone)).orderBy(outbox.id)

describe('a first post', () => {
  test('typed in under three seconds waits for an admin; only its author sees it', async () => {
    const { id, waits } = await postThread(market.as(selvi), 'Buy cheap', { typedMs: 2999 })
    expect(waits).toBe(true)
    expect(await listed(murugan)).toEqual([])
    expect(await refusalOf(getThread(market.as(murugan), id))).toBe('NOT_FOUND')
    expect(await getThread(market.as(selvi), id)).toMatchObject({ state: 'review' })
    expect(await listOwnUnseen(market.as(selvi))).toMatchObject([{ id, state: 'review' }])
    expect((await listWaiting(market.as(admin))).posts).toMatchObject([{ kind: 'thread', id, state: 'review', flags: [] }])
    await leavePost(market.as(admin), { kind: 'thread', id })
    expect(await listed(murugan)).toEqual([id])
    // A second post is not a first one.
    const later = { now: new Date(market.ctx.now.getTime() + 60_000) }
    expect(await postThread(market.as(selvi, later), 'More of it', { typedMs: 0 })).toMatchObject({ waits: false })
  })

  test('typed by a person or sent by an app is public at once', async () => {
    expect(await postThread(market.as(selvi), 'How much?', { typedMs: 3000 })).toMatchObject({ waits: false })
    expect(await postThread(market.as(murugan), 'How much?')).toMatchObject({ waits: false })
  })

  test('that is a reply waits, too, and is counted once it is public', async () => {
    const threadId = await makeThread(market.ctx, { authorId: murugan.id })
    const { id, waits } = await postReply(market.as(selvi), threadId, 'Buy cheap', { typedMs: 10 })
    expect([waits, (await threadOf(threadId)).repliesCount]).toEqual([true, 0])
    expect([await seenReplies(murugan, threadId), await seenReplies(selvi, threadId)]).toEqual([[], [id]])
    await leavePost(market.as(admin), { kind: 'reply', id })
    expect([(await threadOf(threadId)).repliesCount, await seenReplies(murugan, threadId)]).toEqual([1, [id]])
  })

  test('the form’s stamp cannot be forged', () => {
    const rendered = market.as(selvi)
    const later = market.as(selvi, { now: new Date(rendered.now.getTime() + 7000) })
    expect(typedSince(later, stampFor(rendered))).toBe(7000)
    for (const stamp of ['', 'x', String(rendered.now.getTime() - 60_000), stampFor(rendered).slice(2), 'A'.repeat(60)])
      expect(typedSince(later, stamp)).toBe(0)
  })
})

describe('an admin', () => {
  test('sees the longest waiting post first, each post once, with everybody who reported it', async () => {
    const thread = await makeThread(market.ctx, { authorId: selvi.id, content: 'First' })
    const reply = await makeReply(market.ctx, { threadId: thread, authorId: selvi.id, content: 'Second' })
    const other = await makeUser(market.ctx)
    await flag(murugan, { kind: 'reply', id: reply }, 'Shouts')
    await flagPost(
      market.as(murugan, { now: new Date(market.ctx.now.getTime() + 1000) }),
      { kind: 'thread', id: thread },
      { reason: 'hate', comment: '' },
    )
    await flag(other, { kind: 'reply', id: reply })
    const { posts, waiting } = await listWaiting(market.as(admin))
    expect(waiting).toBe(2)
    expect(posts).toMatchObject([
      { kind: 'reply', id: reply, threadId: thread, content: 'Second', flags: [{ reason: 'harassment', comment: 'Shouts' }, {}] },
      { kind: 'thread', id: thread, threadId: thread, content: 'First', flags: [{ reason: 'hate', reporter: { name: 'Murugan' } }] },
    ])
    expect(JSON.stringify(posts)).not.toContain(murugan.phone)
  })

  test('hides a post with a reason: only admins and its author, who is notified, still see it', async () => {
    const thread = await makeThread(market.ctx, { authorId: murugan.id })
    const reply = await makeReply(market.ctx, { threadId: thread, authorId: murugan.id, content: 'Rude words' })
    await flag(selvi, { kind: 'reply', id: reply }, 'Very rude')
    await hidePost(market.as(admin), { kind: 'reply', id: reply }, { reason: 'Please be kind to one another.' })
    expect([await seenReplies(selvi, thread), await seenReplies(murugan, thread), await seenReplies(admin, thread)]).toEqual([
      [],
      [reply],
      [reply],
    ])
    expect((await threadOf(thread)).repliesCount).toBe(0)
    const [sms] = await smsTo(murugan)
    expect(sms).toMatchObject({ template: 'forum-hidden', userId: murugan.id, locale: 'en' })
    expect(sms!.body).toContain('Please be kind to one another.')
    expect(sms!.body).toContain(`https://sandhai.test/en/forum/thread/${thread}/replies?at=${reply}#r${reply}`)
    expect(JSON.stringify(sms)).not.toMatch(/Selvi|Very rude/)
    expect((await listReplies(market.as(murugan), thread, { top: 9 })).replies).toMatchObject([
      { state: 'hidden', reason: 'Please be kind to one another.' },
    ])
    expect(await market.ctx.db.select().from(flags)).toMatchObject([{ outcome: 'hidden', closedById: admin.id }])
    expect((await listWaiting(market.as(admin))).posts).toEqual([])
    const events = await market.ctx.db
      .select()
      .from(auditEvents)
      .where(eq(auditEvents.object, `reply:${reply}`))
      .orderBy(auditEvents.id)
    expect(events.map(({ event }) => event)).toEqual(['forum_post_flagged', 'forum_post_hidden'])
    // It cannot be reported again nor hidden twice, but it can be restored.
    expect(await refusalOf(getFlagSubject(market.as(selvi), { kind: 'reply', id: reply }))).toBe('NOT_FOUND')
    expect(await refusalOf(hidePost(market.as(admin), { kind: 'reply', id: reply }, { reason: 'Again' }))).toBe('FORUM_STEP')
    await leavePost(market.as(admin), { kind: 'reply', id: reply })
    expect(await replyOf(reply)).toMatchObject({ state: 'shown', reason: null })
    expect((await threadOf(thread)).repliesCount).toBe(1)
  })

  test('hides a discussion: nobody else reads, answers or likes it', async () => {
    const id = await makeThread(market.ctx, { authorId: murugan.id })
    await makeReply(market.ctx, { threadId: id, authorId: selvi.id })
    await hidePost(market.as(admin), { kind: 'thread', id }, { reason: 'No advertising.' })
    expect(await listed(selvi)).toEqual([])
    for (const act of [
      () => getThread(market.as(selvi), id),
      () => postReply(market.as(selvi), id, 'Why?'),
      () => postReply(market.as(murugan), id, 'Why?'),
      () => likeThread(market.as(selvi), id),
    ])
      expect(await refusalOf(act())).toBe('NOT_FOUND')
    expect(await getThread(market.as(murugan), id)).toMatchObject({ state: 'hidden', reason: 'No advertising.' })
    expect(await getThread(market.as(admin), id)).toMatchObject({ state: 'hidden' })
    expect(await getForDecision(market.as(admin), { kind: 'thread', id })).toMatchObject({ state: 'hidden', reason: 'No advertising.' })
  })

  test('leaves a harmless post: its reports are closed, and its author is not notified', async () => {
    const id = await makeThread(market.ctx, { authorId: murugan.id })
    await flag(selvi, { kind: 'thread', id })
    await leavePost(market.as(admin), { kind: 'thread', id })
    expect(await market.ctx.db.select().from(flags)).toMatchObject([{ outcome: 'left' }])
    expect(await smsTo(murugan)).toEqual([])
    expect(await refusalOf(leavePost(market.as(admin), { kind: 'thread', id }))).toBe('NOT_FOUND')
    // It may be reported again.
    await flag(selvi, { kind: 'thread', id })
    expect(await market.ctx.db.$count(flags, isNull(flags.closedAt))).toBe(1)
  })

  test('does not decide about their own posts, and nobody else decides at all', async () => {
    const own = await makeThread(market.ctx, { authorId: admin.id })
    const others = await makeThread(market.ctx, { authorId: selvi.id })
    await flag(selvi, { kind: 'thread', id: own })
    expect(await refusalOf(hidePost(market.as(admin), { kind: 'thread', id: own }, { reason: 'No' }))).toBe('OWN_ROW')
    expect(await refusalOf(leavePost(market.as(admin), { kind: 'thread', id: own }))).toBe('OWN_ROW')
    for (const person of [murugan, selvi]) {
      expect(await refusalOf(listWaiting(market.as(person)))).toBe('ROLE_FORBIDDEN')
      expect(await refusalOf(getForDecision(market.as(person), { kind: 'thread', id: others }))).toBe('ROLE_FORBIDDEN')
      expect(await refusalOf(hidePost(market.as(person), { kind: 'thread', id: others }, { reason: 'No' }))).toBe('ROLE_FORBIDDEN')
      expect(await refusalOf(leavePost(market.as(person), { kind: 'thread', id: own }))).toBe('ROLE_FORBIDDEN')
    }
    expect(await refusalOf(hidePost(market.as(admin), { kind: 'reply', id: 999_999 }, { reason: 'No' }))).toBe('NOT_FOUND')
    expect((await threadOf(others)).state).toBe('shown')
    expect(await market.ctx.db.$count(flags, isNull(flags.closedAt))).toBe(1)
  })
})

describe('a deleted discussion', () => {
  test('stays as a placeholder when others had answered, and disappears otherwise', async () => {
    const answered = await makeThread(market.ctx, { authorId: murugan.id, content: 'Secret words' })
    const reply = await makeReply(market.ctx, { threadId: answered, authorId: selvi.id })
    const alone = await makeThread(market.ctx, { authorId: murugan.id })
    await deleteThread(market.as(murugan), answered)
    await deleteThread(market.as(murugan), alone)
    for (const person of [selvi, murugan]) {
      expect(await getThread(market.as(person), answered)).toMatchObject({ state: 'deleted', content: '', author: null })
      expect(await refusalOf(getThread(market.as(person), alone))).toBe('NOT_FOUND')
    }
    expect(await seenReplies(murugan, answered)).toEqual([reply])
    expect(await refusalOf(postReply(market.as(selvi), answered, 'And now?'))).toBe('NOT_FOUND')
    expect(await getThread(market.as(admin), answered)).toMatchObject({ content: 'Secret words' })
    await deleteReply(market.as(selvi), reply)
    expect(await refusalOf(getThread(market.as(selvi), answered))).toBe('NOT_FOUND')
  })
})

describe('a person who leaves the market', () => {
  const written = async () => {
    const thread = await makeThread(market.ctx, { authorId: murugan.id, content: 'A question' })
    const answer = await makeReply(market.ctx, { threadId: thread, authorId: selvi.id })
    const alone = await makeThread(market.ctx, { authorId: murugan.id, content: 'Nobody answered' })
    const others = await makeThread(market.ctx, { authorId: selvi.id })
    const reply = await makeReply(market.ctx, { threadId: others, authorId: murugan.id, content: 'An answer' })
    const hidden = await makeReply(market.ctx, { threadId: others, authorId: murugan.id, content: 'Hidden words', state: 'hidden' })
    await likeThread(market.as(murugan), others)
    await likeThread(market.as(selvi), others)
    return { thread, answer, alone, others, reply, hidden }
  }

  test('exports a copy of everything', async () => {
    const { thread, others, reply } = await written()
    await flag(murugan, { kind: 'thread', id: others }, 'Strange')
    expect(await exportPerson(market.ctx, murugan.id)).toMatchObject({
      forumThreads: [{ id: thread, content: 'A question' }, { content: 'Nobody answered' }],
      forumReplies: [
        { id: reply, content: 'An answer', threadId: others },
        { content: 'Hidden words', state: 'hidden' },
      ],
      forumLikes: [{ threadId: others }],
      forumFlags: [{ threadId: others, comment: 'Strange' }],
    })
  })

  test('leaves their public posts without an author; unseen posts and likes are deleted', async () => {
    const { thread, alone, others, reply, hidden } = await written()
    await forgetPerson(market.ctx, murugan.id)
    expect(await threadOf(thread)).toMatchObject({ authorId: null, content: 'A question', state: 'shown' })
    expect(await threadOf(alone)).toMatchObject({ authorId: null, state: 'shown' })
    expect(await replyOf(reply)).toMatchObject({ authorId: null, content: 'An answer' })
    expect(await replyOf(hidden)).toBeUndefined()
    expect(await threadOf(others)).toMatchObject({ likesCount: 1, repliesCount: 1 })
    expect(await market.ctx.db.$count(threadLikes, eq(threadLikes.userId, murugan.id))).toBe(0)
    expect((await listReplies(market.as(selvi), others, { top: 9 })).replies).toMatchObject([{ author: null, isOwn: false }])
  })

  test('may delete their posts: a placeholder stays where others had answered', async () => {
    const { thread, answer, alone, others, reply } = await written()
    await removeWords(market.ctx, murugan.id)
    await forgetPerson(market.ctx, murugan.id)
    expect(await threadOf(thread)).toMatchObject({ authorId: null, content: '', state: 'deleted', searchKeys: '' })
    expect(await replyOf(answer)).toMatchObject({ state: 'shown' })
    expect(await threadOf(alone)).toBeUndefined()
    expect(await replyOf(reply)).toBeUndefined()
    expect(await threadOf(others)).toMatchObject({ likesCount: 1, repliesCount: 0 })
    const left = await market.ctx.db
      .select()
      .from(threads)
      .where(and(eq(threads.authorId, murugan.id)))
    expect(left).toEqual([])
  })
})
