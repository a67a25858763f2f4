import { eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import type { Problem } from '#src/kit/base/problem.ts'
import type { Viewer } from '#src/kit/context.ts'
import { auditEvents, outbox } from '#src/kit/db/tables.ts'
import { problemDetail } from '#src/kit/problem-text.ts'
import { MESSAGE_DELAY_SECONDS } from '#src/kit/undo-seconds.ts'
import { sendForm } from '#tools/test-kit/send-form.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { refusalOf } from '#tools/test-kit/test-people.ts'
import { action } from '#src/admin/forum-page.tsx'
import { deleteReply } from './commands.server.ts'
import { flagPost, type PostRef } from './flags.server.ts'
import { makeReply, makeThread } from './makers.server.ts'
import { getForDecision, hidePost, leavePost, listDecided, undoHide } from './moderation.server.ts'
import { flags, replies, threads } from './tables.ts'

let market: TestMarket
let admin: Viewer
let other: Viewer
let author: Awaited<ReturnType<typeof makeUser>>
shareMarket((opened) => (market = opened))
beforeAll(async () => {
  admin = await makeUser(market.ctx, { typeId: 9, name: 'Meena' })
  other = await makeUser(market.ctx, { typeId: 9, name: 'Kumar' })
  author = await makeUser(market.ctx, { name: 'Selvi' })
})

const later = (seconds: number) => new Date(Date.now() + seconds * 1000)
const detailOf = async (act: Promise<unknown>) => problemDetail((await act.catch((error: unknown) => error)) as Problem, 'en')

/** A post with one report that was left and one that is open. */
async function reported(kind: PostRef['kind']): Promise<PostRef> {
  const thread = await makeThread(market.ctx, { authorId: author.id })
  const id = await makeReply(market.ctx, { threadId: thread, authorId: author.id })
  const post = kind === 'thread' ? { kind, id: thread } : { kind, id }
  const report = async () => flagPost(market.as(await makeUser(market.ctx)), post, { reason: 'fraud', comment: '' })
  await report()
  await leavePost(market.as(other), post)
  await report()
  return post
}

async function stateOf({ kind, id }: PostRef) {
  const { db } = market.ctx
  const [reply] = kind === 'reply' ? await db.select().from(replies).where(eq(replies.id, id)) : []
  const [thread] = await db
    .select()
    .from(threads)
    .where(eq(threads.id, reply?.threadId ?? id))
  return {
    words: [reply, thread].map((post) => [post?.state, post?.reason]),
    count: thread?.repliesCount,
    reports: await db.select().from(flags).orderBy(flags.id),
    messages: await db.$count(outbox, eq(outbox.recipient, author.phone)),
  }
}

test.each(['thread', 'reply'] as const)(
  'a hidden %s that is undone is as before, its report is open, and its author hears nothing',
  async (kind) => {
    const post = await reported(kind)
    const before = await stateOf(post)
    await hidePost(market.as(admin), post, { reason: 'Rude.' })
    const [sms] = (await market.ctx.db.select().from(outbox).where(eq(outbox.recipient, author.phone))).slice(-1)
    expect(sms!.dueAt.getTime()).toBeGreaterThan(later(MESSAGE_DELAY_SECONDS - 5).getTime())
    for (const _twice of [1, 2]) await undoHide(market.as(admin), post)
    expect(await stateOf(post)).toEqual(before)
    const events = market.ctx.db.select().from(auditEvents)
    const trail = await events.where(eq(auditEvents.object, `${kind}:${post.id}`)).orderBy(auditEvents.id)
    expect(trail.slice(-2)).toMatchObject([
      { event: 'forum_post_hidden', actorId: admin.id, details: { from: 'shown', flags: 1 } },
      { event: 'forum_hiding_undone', actorId: admin.id },
    ])
    expect((await listDecided(market.as(other), 1)).decided.slice(0, 2)).toMatchObject([
      { isUndone: true, adminName: 'Meena' },
      { isHidden: true },
    ])
    expect(await detailOf(undoHide(market.as(other), post))).toMatch(/“Removal taken back” \(Meena, \d+-/)
    // It can be hidden again.
    await hidePost(market.as(admin), post, { reason: 'Advertising.' })
    expect((await stateOf(post)).messages).toBe(before.messages + 1)
  },
)

test('a post that waited for a first look waits again', async () => {
  const thread = await makeThread(market.ctx, { authorId: author.id })
  const post = { kind: 'reply', id: await makeReply(market.ctx, { threadId: thread, authorId: author.id }) } as const
  await market.ctx.db.update(replies).set({ state: 'review' }).where(eq(replies.id, post.id))
  const before = await stateOf(post)
  await hidePost(market.as(admin), post, { reason: 'Rude.' })
  await undoHide(market.as(admin), post)
  expect(await stateOf(post)).toEqual(before)
})

test('an undo is refused when it is late, the message was sent, another admin acts, or the post was decided or deleted since', async () => {
  const post = await reported('reply')
  expect(await refusalOf(undoHide(market.as(admin), post))).toBe('VERSION')
  await hidePost(market.as(admin), post, { reason: 'Rude.' })
  const hidden = await stateOf(post)
  expect(await detailOf(undoHide(market.as(admin, { now: later(MESSAGE_DELAY_SECONDS + 1) }), post))).toContain('It is too late')
  expect(await detailOf(undoHide(market.as(other), post))).toMatch(/“Hidden” \(Meena, \d+-/)
  expect(await refusalOf(undoHide(market.as(author), post))).toBe('ROLE_FORBIDDEN')
  await market.ctx.db.update(outbox).set({ attempts: 1 }).where(eq(outbox.recipient, author.phone))
  expect(await detailOf(undoHide(market.as(admin), post))).toContain('It is too late')
  expect(await stateOf(post)).toEqual(hidden)
  await leavePost(market.as(other), post)
  expect(await detailOf(undoHide(market.as(admin), post))).toMatch(/“Left as it is” \(Kumar, \d+-/)
  await hidePost(market.as(admin), post, { reason: 'Rude.' })
  await deleteReply(market.as(author), post.id)
  expect(await refusalOf(undoHide(market.as(admin), post))).toBe('VERSION')
  expect((await stateOf(post)).words[0]).toEqual(['deleted', 'Rude.'])
})

test('the form hides with a reason, names the post for the undo, and undoes it', async () => {
  const post = await reported('thread')
  const { seen } = await getForDecision(market.as(admin), post)
  const send = (fields: Record<string, string>) =>
    sendForm(market.ctx, action as never, { viewer: admin, params: {}, fields: { post: `thread-${post.id}`, seen, ...fields } }).catch(
      (redirected: unknown) => (redirected as Response).headers.get('Location'),
    )
  expect(await send({ act: 'hide', reason: ' ' })).toBe('VALIDATION')
  expect(await send({ act: 'hide', reason: 'Rude.' })).toMatch(new RegExp(`done=hidden&of=thread-${post.id}$`))
  expect(await send({ act: 'undo' })).toMatch(new RegExp(`done=undone&post=thread-${post.id}$`))
  expect((await getForDecision(market.as(admin), post)).state).toBe('shown')
})
