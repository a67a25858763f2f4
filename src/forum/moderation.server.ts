import { requireLoggedIn } from '#src/accounts/policy.ts'
import { createHash } from 'node:crypto'
import { and, eq, inArray, isNull, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { audit } from '#src/kit/records/audit.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { deskMatch } from '#src/kit/db/desk-match.server.ts'
import { localized } from '#src/kit/text/locale.ts'
import { notFound, Problem } from '#src/kit/base/problem.ts'
import { epochMs, localeShape, momentShape, rowsOf } from '#src/kit/db/rows.server.ts'
import { shorten } from '#src/kit/http/seo.ts'
import { m } from '#src/paraglide/messages.js'
import { decidedBy, findLastDecision } from '../accounts/decided-meanwhile.server.ts'
import { requireCan } from '../accounts/policy.ts'
import { heldIn, takeBackAct, undoably, undoLate } from '../accounts/undo.server.ts'
import { notify } from '#src/accounts/notifications/receivers.server.ts'
import { holdAdmin } from '#src/accounts/people/users.server.ts'
import { countReplies } from './commands.server.ts'
import { objectOf, postPath, type PostRef } from './flags.server.ts'
import type { PostState } from './rules.ts'
import type { FlagReason } from './schemas.ts'
import { FLAG_REASONS, flags, POST_STATES, replies, threads } from './tables.ts'

export const POSTS_PER_PAGE = 30

export interface WaitingPost extends Omit<WaitingRow, 'waiting' | 'decisionId'> {
  isOwn: boolean
  /** The state and the open reports as they read now; a decision gives it back (decision 0112). */
  seen: string
}

/** Posts that wait for a first look, and reported posts, each once. */
export const waitingPosts = sql`
  select kind, id, min(at) as at from (
    select case when thread_id is null then 'reply' else 'thread' end as kind, coalesce(thread_id, reply_id) as id, created_at as at
      from flags where closed_at is null
    union all select 'thread', id, created_at from threads where state = 'review'
    union all select 'reply', id, created_at from replies where state = 'review'
  ) each_one group by kind, id`

/** For admins: posts that wait for a first look, and reported posts; longest wait first; `page` counts from 1. */
export async function listWaiting(ctx: Ctx, page = 1, text = ''): Promise<{ posts: WaitingPost[]; waiting: number }> {
  requireCan(ctx, 'operate')
  return readPosts(ctx, waitingPosts, page, text)
}

/** One post for an admin's decision, pending or not. Raises NOT_FOUND. */
export async function getForDecision(ctx: Ctx, { kind, id }: PostRef): Promise<WaitingPost> {
  requireCan(ctx, 'operate')
  const { posts } = await readPosts(
    ctx,
    sql`select ${kind} as kind, p.id, p.created_at as at from ${kind === 'thread' ? sql`threads` : sql`replies`} p where p.id = ${id}::bigint`,
  )
  if (!posts[0]) throw notFound()
  return posts[0]
}

/** The thread or reply `w` with its author. PostgreSQL leaves out the joins that a query does not use. */
const posts = sql`left join threads t on w.kind = 'thread' and t.id = w.id left join replies p on w.kind = 'reply' and p.id = w.id
  left join users u on u.id = coalesce(p.author_id, t.author_id)`

const matching = (typed: string) =>
  deskMatch(typed, {
    number: (id) => sql`${id}::bigint in (t.id, p.thread_id, u.id)`,
    phone: (phone) => sql`u.phone = ${phone}`,
    words: [sql`u.name`, sql`coalesce(p.content, t.content)`, sql`coalesce(p.reason, t.reason)`],
  })

async function readPosts(ctx: Ctx, wanted: SQL, page = 1, text = ''): Promise<{ posts: WaitingPost[]; waiting: number }> {
  const rows = await rowsOf(
    ctx,
    sql`
    with wanted as (${wanted}),
    first as (select w.*, count(*) over ()::int as waiting from wanted w ${posts} where ${matching(text)} order by w.at, w.kind, w.id limit ${POSTS_PER_PAGE} offset ${(page - 1) * POSTS_PER_PAGE})
    select w.kind, w.id::float8 as id, w.waiting, coalesce(p.thread_id, t.id)::float8 as "threadId",
      coalesce(t.replies_count, 0) as replies, coalesce(p.content, t.content) as content, coalesce(p.state, t.state) as state, coalesce(p.reason, t.reason) as reason,
      ${epochMs(sql`coalesce(p.created_at, t.created_at)`)} as at,
      case when u.id is not null then json_build_object('id', u.id, 'name', coalesce(u.name, ''), 'isActive', u.is_active,
        'locale', u.locale) end as author,
      (select max(a.id) from audit_events a where a.object = w.kind || ':' || w.id
        and a.event in ${eventNames})::float8 as "decisionId",
      (select coalesce(json_agg(json_build_object('reason', f.reason, 'comment', f.comment, 'at', ${epochMs(sql`f.created_at`)},
        'reporter', json_build_object('id', f.reporter_id, 'name', by.name)) order by f.created_at, f.id), '[]'::json)
        from flags f join users by on by.id = f.reporter_id
        where f.closed_at is null and case w.kind when 'thread' then f.thread_id = w.id else f.reply_id = w.id end) as flags
    from first w ${posts}
    order by w.at, w.kind, w.id`,
    waitingRow,
  )
  return { posts: rows.map((row) => toWaiting(row, ctx)), waiting: rows[0]?.waiting ?? 0 }
}

const waitingRow = z.object({
  kind: z.enum(['thread', 'reply']),
  id: z.number(),
  waiting: z.number(),
  threadId: z.number(),
  replies: z.number(),
  author: z.object({ id: z.number(), name: z.string(), isActive: z.boolean(), locale: localeShape }).nullable(),
  content: z.string(),
  state: z.enum(POST_STATES),
  reason: z.string().nullable(),
  at: momentShape,
  decisionId: z.number().nullable(),
  flags: z.array(
    z.object({
      reason: z.enum(FLAG_REASONS),
      comment: z.string(),
      at: momentShape,
      reporter: z.object({ id: z.number(), name: z.string() }),
    }),
  ),
})
type WaitingRow = z.output<typeof waitingRow>

function toWaiting(row: WaitingRow, { viewer }: Ctx): WaitingPost {
  const { waiting: _, decisionId, ...post } = row
  const open = post.flags.map(({ reporter, reason, comment }) => ({ reporterId: reporter.id, reason, comment }))
  return { ...post, isOwn: post.author?.id === viewer!.id, seen: seenPost(decisionId, post.state, open) }
}

/** Names what an admin sees before a decision: the last decision about the post, its state and its open reports. */
function seenPost(
  decisionId: number | null,
  state: PostState,
  open: { reporterId: number; reason: FlagReason; comment: string }[],
): string {
  const reports = open
    .toSorted((a, b) => a.reporterId - b.reporterId)
    .map(({ reporterId, reason, comment }) => [reporterId, reason, comment])
  return `${decisionId ?? 0}.${state}.${createHash('sha256').update(JSON.stringify(reports)).digest('base64url')}`
}

const decidedRow = z.object({
  kind: z.enum(['thread', 'reply']),
  id: z.number(),
  content: z.string(),
  isHidden: z.boolean(),
  isUndone: z.boolean(),
  reason: z.string(),
  adminName: z.string(),
  at: momentShape,
  total: z.number(),
})
type DecidedPost = Omit<z.output<typeof decidedRow>, 'total'>

export const DECIDED_PER_PAGE = 30
/** A search reads so many of the latest decisions. */
const SEARCHED_DECISIONS = 10_000

/** For admins: past decisions on posts, newest first, from the audit trail. */
export async function listDecided(ctx: Ctx, page: number, text = ''): Promise<{ decided: DecidedPost[]; total: number }> {
  requireCan(ctx, 'operate')
  const rows = await rowsOf(
    ctx,
    sql`
    with decisions as (
      select id as event_id, event, at, actor_id, split_part(object, ':', 1) as kind, split_part(object, ':', 2)::bigint as id
      from audit_events where event in ${eventNames} order by event_id desc ${text === '' ? sql`` : sql`limit ${SEARCHED_DECISIONS}`}),
    decided as (
      select w.*, count(*) over ()::int as total from decisions w ${posts} where ${matching(text)}
      order by event_id desc limit ${DECIDED_PER_PAGE} offset ${(page - 1) * DECIDED_PER_PAGE})
    select w.event = 'forum_post_hidden' as "isHidden", w.event = 'forum_hiding_undone' as "isUndone",
      w.kind, w.id::float8 as id, coalesce(p.content, t.content, '') as content,
      coalesce(p.reason, t.reason, '') as reason, coalesce(a.name, '') as "adminName", ${epochMs(sql`w.at`)} as at, w.total
    from decided w ${posts} left join users a on a.id = w.actor_id order by event_id desc`,
    decidedRow,
  )
  return { total: rows[0]?.total ?? 0, decided: rows }
}

/** An admin's decision about a post. */
interface PostDecision {
  /** `WaitingPost.seen` of the page; VERSION when the post was decided or reported since then. */
  seen?: string | undefined
}

/**
 * Leaves or restores a post: a pending or hidden one becomes public, and its reports are closed. Raises NOT_FOUND when there is nothing to
 * decide (any more), OWN_ROW for one's own post, VERSION. The same decision sent twice succeeds.
 */
export async function leavePost(ctx: Ctx, post: PostRef, { seen }: PostDecision = {}): Promise<void> {
  await decide(ctx, post, { seen, event: 'forum_post_left', reason: null }, async (ctx, { state, threadId, open }) => {
    const isBack = state === 'review' || state === 'hidden'
    if (!isBack && open.length === 0) throw notFound()
    await closeFlags(ctx, open, 'left')
    if (isBack) {
      await setState(ctx, post, { state: 'shown', reason: null })
      if (post.kind === 'reply') await countReplies(ctx, threadId, 1)
    }
    await audit(ctx, 'forum_post_left', objectOf(post), { from: state, flags: open.length })
  })
}

/**
 * Hides a post from all but admins and its author, who is notified of the reason once it cannot be undone any more.
 * Raises FORUM_STEP when it is hidden or deleted already, OWN_ROW, NOT_FOUND, VERSION. The same decision sent twice
 * succeeds.
 */
export async function hidePost(ctx: Ctx, post: PostRef, { reason, seen }: PostDecision & { reason: string }): Promise<void> {
  const act = async (ctx: Ctx, { state, authorId, threadId, open }: LockedPost) => {
    if (state !== 'shown' && state !== 'review') throw new Problem('FORUM_STEP')
    await closeFlags(ctx, open, 'hidden')
    await setState(ctx, post, { state: 'hidden', reason })
    if (post.kind === 'reply' && state === 'shown') await countReplies(ctx, threadId, -1)
    if (authorId !== null) await notifyAuthor(ctx, authorId, post, threadId, reason)
    await audit(ctx, 'forum_post_hidden', objectOf(post), { from: state, flags: open.length, ...heldIn(ctx) })
  }
  await undoably(ctx, (ctx) => decide(ctx, post, { seen, event: 'forum_post_hidden', reason }, act))
}

/**
 * Undoes the admin's own `hidePost` within seconds: post and reports are as before, and the author is not notified.
 * The same undo again succeeds. Raises FORUM_STEP when it is too late, VERSION when another admin decided or the author
 * deleted it since, NOT_FOUND.
 */
export async function undoHide(ctx: Ctx, post: PostRef): Promise<void> {
  await inTransaction(ctx, async (ctx) => {
    await holdAdmin(ctx)
    const { state, threadId, decidedAt } = await lockPost(ctx, post)
    const act = await takeBackAct(ctx, {
      object: objectOf(post),
      events: eventNames,
      undone: 'forum_hiding_undone',
      stale: (last) => decidedLast(ctx, last),
      late: undoLate('FORUM_STEP'),
    })
    if (act === null) return
    if (state !== 'hidden' || !decidedAt) throw new Problem('VERSION')
    const from = act.from === 'review' ? 'review' : 'shown'
    const open = { closedAt: null, closedById: null, outcome: null }
    await ctx.db
      .update(flags)
      .set(open)
      .where(and(ofPost(post), eq(flags.outcome, 'hidden'), eq(flags.closedAt, decidedAt)))
    await setState(ctx, post, { state: from, reason: null })
    if (post.kind === 'reply' && from === 'shown') await countReplies(ctx, threadId, 1)
    await audit(ctx, 'forum_hiding_undone', objectOf(post), { to: from })
  })
}

interface LockedPost {
  state: PostState
  authorId: number | null
  threadId: number
  reason: string | null
  decidedAt: Date | null
  /** The open reports. One that comes in later stays open, because no admin has read it. */
  open: Pick<typeof flags.$inferSelect, 'id' | 'reporterId' | 'reason' | 'comment'>[]
}

interface Intent extends PostDecision {
  event: PostEvent
  /** The reason why the post is hidden; null for one that is left. */
  reason: string | null
}

async function decide(ctx: Ctx, post: PostRef, intent: Intent, act: (ctx: Ctx, locked: LockedPost) => Promise<void>): Promise<void> {
  await inTransaction(ctx, async (ctx) => {
    const { id: adminId } = await holdAdmin(ctx)
    const locked = await lockPost(ctx, post)
    if (locked.authorId === adminId) throw new Problem('OWN_ROW')
    if (intent.seen !== undefined && (await isOwnRepeat(ctx, post, locked, intent))) return
    await act(ctx, locked)
  })
}

const postEvents = { forum_post_hidden: m.timeline_hidden, forum_post_left: m.timeline_left, forum_hiding_undone: m.forum_desk_undone }
type PostEvent = keyof typeof postEvents
const eventNames = Object.keys(postEvents) as PostEvent[]

/** Whether this admin made the same decision last. Raises VERSION when the post is no longer as the admin saw it. */
async function isOwnRepeat(ctx: Ctx, post: PostRef, { state, reason, open }: LockedPost, intent: Intent): Promise<boolean> {
  const last = await findLastDecision(ctx, objectOf(post), eventNames)
  if (intent.seen === seenPost(last?.id ?? null, state, open)) return false
  const hasDecision = (text: string) => intent.seen?.startsWith(`${last?.id ?? 0}.${text}`)
  if (hasDecision(`${state}.`)) throw new Problem('VERSION', { sentence: (locale) => m.reports_new_meanwhile({}, { locale }) })
  // Its author deleted it.
  if (!last || !intent.seen || hasDecision('')) throw new Problem('VERSION')
  if (last.actorId === requireLoggedIn(ctx).id && last.event === intent.event && reason === intent.reason && open.length === 0) return true
  throw await decidedLast(ctx, last)
}

const decidedLast = (ctx: Ctx, { event, actorId: byId, at }: { event: string; actorId: number | null; at: Date }) =>
  decidedBy(ctx, { what: (locale) => postEvents[event as PostEvent]({}, { locale }), byId, at })

const ofPost = ({ kind, id }: PostRef) => eq(kind === 'thread' ? flags.threadId : flags.replyId, id)

async function lockPost(ctx: Ctx, post: PostRef): Promise<LockedPost> {
  const { kind, id } = post
  const [row] =
    kind === 'thread'
      ? await ctx.db
          .select({
            state: threads.state,
            authorId: threads.authorId,
            threadId: threads.id,
            reason: threads.reason,
            decidedAt: threads.decidedAt,
          })
          .from(threads)
          .where(eq(threads.id, id))
          .for('no key update')
      : await ctx.db
          .select({
            state: replies.state,
            authorId: replies.authorId,
            threadId: replies.threadId,
            reason: replies.reason,
            decidedAt: replies.decidedAt,
          })
          .from(replies)
          .where(eq(replies.id, id))
          .for('no key update')
  if (!row) throw notFound()
  const open = await ctx.db
    .select({ id: flags.id, reporterId: flags.reporterId, reason: flags.reason, comment: flags.comment })
    .from(flags)
    .where(and(ofPost(post), isNull(flags.closedAt)))
    .orderBy(flags.id)
    .for('update')
  return { ...row, open }
}

type Verdict = Pick<typeof threads.$inferSelect, 'state' | 'reason'>

async function setState(ctx: Ctx, { kind, id }: PostRef, verdict: Verdict): Promise<void> {
  const decided = { ...verdict, decidedById: requireLoggedIn(ctx).id, decidedAt: ctx.now }
  if (kind === 'thread') await ctx.db.update(threads).set(decided).where(eq(threads.id, id))
  else await ctx.db.update(replies).set(decided).where(eq(replies.id, id))
}

async function closeFlags(ctx: Ctx, open: LockedPost['open'], outcome: 'left' | 'hidden'): Promise<void> {
  const closed = { closedAt: ctx.now, closedById: requireLoggedIn(ctx).id, outcome }
  const ids = open.map(({ id }) => id)
  await ctx.db.update(flags).set(closed).where(inArray(flags.id, ids))
}

/** Keeps the SMS short; the page of the post has the full reason. */
const SMS_REASON = 200

const notifyAuthor = (ctx: Ctx, userId: number, post: PostRef, threadId: number, reason: string): Promise<void> =>
  notify(ctx, userId, 'forum-hidden', m.sms_forum_hidden, (locale) => ({
    reason: shorten(reason, SMS_REASON),
    link: ctx.publicOrigin + localized(postPath(post, threadId), locale),
  }))
