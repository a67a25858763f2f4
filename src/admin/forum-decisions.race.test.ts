import { and, eq, isNull } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import { deleteReply } from '#src/forum/commands.server.ts'
import { flagPost } from '#src/forum/flags.server.ts'
import { makeReply, makeThread } from '#src/forum/makers.server.ts'
import { getForDecision, hidePost, leavePost, undoHide } from '#src/forum/moderation.server.ts'
import { flags, replies } from '#src/forum/tables.ts'
import type { Ctx, Viewer } from '#src/kit/context.ts'
import { outbox } from '#src/kit/db/tables.ts'
import { problemDetail } from '#src/kit/problem-text.ts'
import type { Problem } from '#src/kit/base/problem.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { meetingOf, signal } from '#tools/test-kit/signal.ts'
import { untilLockWait } from '#tools/test-kit/lock-wait.ts'
import { often } from '#tools/test-kit/often.ts'
import { sendForm } from '#tools/test-kit/send-form.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { refusalOf } from '#tools/test-kit/test-people.ts'
import { action } from './forum-page.tsx'

const POSTS = often(30, 150)

let market: TestMarket
let admins: [Viewer, Viewer]
let thread: number
shareMarket((opened) => (market = opened))
beforeAll(async () => {
  admins = [await makeUser(market.ctx, { typeId: 9, name: 'Meena' }), await makeUser(market.ctx, { typeId: 9, name: 'Kumar' })]
  thread = await makeThread(market.ctx, { authorId: (await makeUser(market.ctx)).id })
})

const reply = (id: number) => ({ kind: 'reply', id }) as const
const report = async (id: number, comment = '') =>
  flagPost(market.as(await makeUser(market.ctx)), reply(id), { reason: 'harassment', comment })
async function reported() {
  const author = await makeUser(market.ctx)
  const id = await makeReply(market.ctx, { threadId: thread, authorId: author.id })
  await report(id)
  return { id, author }
}
const seenBy = async (admin: Viewer, id: number) => (await getForDecision(market.as(admin), reply(id))).seen
const stateOf = async (id: number) => (await market.ctx.db.select().from(replies).where(eq(replies.id, id)))[0]!.state

/** One admin leaves each reported post and the other hides it, both after both have read it. Returns how each post ended. */
async function decideAtOnce(hasSeen: boolean) {
  const ends: { refusals: string[]; state: string; messages: number }[] = []
  for (let n = 0; n < POSTS; n++) {
    const { id, author } = await reported()
    const bothHaveRead = meetingOf(2)
    const read = async (admin: Viewer) => {
      const seen = await seenBy(admin, id)
      await bothHaveRead()
      return hasSeen ? { seen } : {}
    }
    const refusals = await Promise.all([
      read(admins[0]).then((seen) => refusalOf(leavePost(market.as(admins[0]), reply(id), seen))),
      read(admins[1]).then((seen) => refusalOf(hidePost(market.as(admins[1]), reply(id), { reason: 'Rude.', ...seen }))),
    ])
    ends.push({ refusals, state: await stateOf(id), messages: await market.ctx.db.$count(outbox, eq(outbox.recipient, author.phone)) })
  }
  return ends
}

test('of two decisions about one post the first counts, and the post ends as that decision says', async () => {
  for (const { refusals, state, messages } of await decideAtOnce(true)) {
    expect(refusals.toSorted()).toEqual(['VERSION', 'taken'])
    expect([state, messages]).toEqual(refusals[0] === 'taken' ? ['shown', 0] : ['hidden', 1])
  }
})

test('control: without the state that was seen both decisions are taken', async () => {
  for (const { refusals } of await decideAtOnce(false)) expect(refusals).toEqual(['taken', 'taken'])
})

test('no decision closes a report that the admin has not read', async () => {
  const { id } = await reported()
  const seen = await seenBy(admins[0], id)
  await report(id, 'Threatens me.')
  const refused = await leavePost(market.as(admins[0]), reply(id), { seen }).catch((error: Problem) => error)
  expect(problemDetail(refused as Problem, 'en')).toBe('A report came in or changed after this page was loaded. Read it here, then decide.')
  const rows = await market.ctx.db.select().from(flags).where(eq(flags.replyId, id))
  expect(rows.map(({ closedAt }) => closedAt)).toEqual([null, null])
})

test('a report that comes while the post is being hidden is refused', async () => {
  const { id } = await reported()
  const { given: mayEnd, give: end } = signal()
  const { given: isHidden, give: noteHidden } = signal()
  const hiding = inTransaction(market.as(admins[0]), async (ctx) => {
    await hidePost(ctx, reply(id), { reason: 'Rude.' })
    noteHidden()
    await mayEnd
  })
  await isHidden
  const reporting = refusalOf(report(id, 'Threatens me.'))
  await untilLockWait(market.ctx.db)
  end()
  await hiding
  expect(await reporting).toBe('NOT_FOUND')
  expect((await market.ctx.db.select().from(flags).where(eq(flags.replyId, id))).map(({ outcome }) => outcome)).toEqual(['hidden'])
})

test('a post that its author deleted meanwhile is a new state, and nobody is said to have reported it', async () => {
  const { id, author } = await reported()
  const seen = await seenBy(admins[0], id)
  await deleteReply(market.as(author), id)
  const refused = await leavePost(market.as(admins[0]), reply(id), { seen }).catch((error: Problem) => error)
  expect(refused).toMatchObject({ code: 'VERSION' })
  expect(problemDetail(refused as Problem, 'en')).not.toContain('report')
})

test('the refusal says who decided what and when; the own decision sent twice succeeds with one message', async () => {
  const { id, author } = await reported()
  const seen = await seenBy(admins[0], id)
  const send = (viewer: Viewer, fields: Record<string, string>) =>
    sendForm(market.ctx, action as never, { viewer, params: {}, fields: { post: `reply-${id}`, seen, ...fields } }).catch(
      (redirected: unknown) => (redirected instanceof Response ? 'taken' : String(redirected)),
    )
  for (const _ of [1, 2]) expect(await send(admins[0], { act: 'hide', reason: 'Rude.' })).toBe('taken')
  expect(await send(admins[0], { act: 'hide', reason: 'Another reason.' })).toBe('VERSION')
  expect(await send(admins[1], { act: 'hide', reason: 'Rude.' })).toBe('VERSION')
  expect(await market.ctx.db.$count(outbox, eq(outbox.recipient, author.phone))).toBe(1)
  const refused = await leavePost(market.as(admins[1]), reply(id), { seen }).catch((error: Problem) => error)
  expect(problemDetail(refused as Problem, 'en')).toMatch(/“Hidden” \(Meena, \d+-\w+-\d{4}, \d\d:\d\d\)/)
})

/** An admin undoes a hiding while another one leaves the post, whose author gets a message first. Returns how both ended. */
async function undoWhileLeaving(undo: (ctx: Ctx, id: number, leave: () => Promise<string>) => Promise<string[]>) {
  const { id, author } = await reported()
  await hidePost(market.as(admins[0]), reply(id), { reason: 'Rude.' })
  const seen = await seenBy(admins[1], id)
  const ends = await undo(market.as(admins[0]), id, () => refusalOf(leavePost(market.as(admins[1]), reply(id), { seen })))
  const open = await market.ctx.db.$count(flags, and(eq(flags.replyId, id), isNull(flags.closedAt)))
  return { ends, open, messages: await market.ctx.db.$count(outbox, eq(outbox.recipient, author.phone)) }
}

test('of an undone hiding and another admin’s decision at once one counts, and the report and the message are as it says', async () => {
  for (let n = 0; n < POSTS; n++) {
    const { ends, ...rest } = await undoWhileLeaving((ctx, id, leave) => Promise.all([refusalOf(undoHide(ctx, reply(id))), leave()]))
    expect(ends.toSorted()).toEqual(['VERSION', 'taken'])
    expect(rest).toEqual(ends[0] === 'taken' ? { open: 1, messages: 0 } : { open: 0, messages: 1 })
  }
})

test('control: an undo that reads the post without a lock opens the report of a post that another admin left', async () => {
  const { ends, open } = await undoWhileLeaving(async ({ db }, id, leave) => {
    const [post] = await db.select().from(replies).where(eq(replies.id, id))
    const left = await leave()
    if (post?.state !== 'hidden') throw new Error('decided since')
    await db.update(flags).set({ closedAt: null, closedById: null, outcome: null }).where(eq(flags.closedAt, post.decidedAt!))
    return ['taken', left]
  })
  expect([ends, open]).toEqual([['taken', 'taken'], 1])
})
