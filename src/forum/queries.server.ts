import { sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import type { Ctx, Viewer } from '#src/kit/context.ts'
import { COUNT_UP_TO, decodeCursor, encodeCursor, shortHash, type Cursor } from '#src/kit/http/pagination.ts'
import { notFound } from '#src/kit/base/problem.ts'
import { epochMs, momentShape, rowsOf } from '#src/kit/db/rows.server.ts'
import { requireLoggedIn } from '../accounts/policy.ts'
import { can } from './policy.ts'
import type { Sort } from './limits.ts'
import { searchQueryOf } from './search.server.ts'
import { POST_STATES } from './tables.ts'

export const PAGE_SIZE = 20
export const REPLIES_PAGE = 50
/** Newest replies shown with each discussion of a list. */
const NEWEST_REPLIES = 5
/** How many of their own pending or hidden posts an author sees. */
const OWN_SHOWN = 20

interface ThreadChoices {
  sort: Sort
  text: string
  /** A keyset cursor of the same list. */
  after: string | null
  top: number
}
export interface ThreadPage {
  threads: Thread[]
  /** At most COUNT_UP_TO; 0 on later pages, which do not count. */
  count: number
  isFirst: boolean
  next: string | null
}

/** The public discussions of the forum. One statement. For members. */
export async function listThreads(ctx: Ctx, { sort, text, after, top }: ThreadChoices): Promise<ThreadPage> {
  const viewer = requireLoggedIn(ctx)
  const query = searchQueryOf(text)
  // A search without a meaningful word finds nothing: a list of everything would look like a result.
  if (query === null && text.trim() !== '') return { threads: [], count: 0, isFirst: true, next: null }
  const list = `threads-${sort}-${shortHash(query ?? '')}`
  const cursor = decodeCursor(after, list, /^\d{1,15}$/)
  const isLiked = sort === 'liked'
  const before = cursor ? beforeCursor(isLiked, cursor) : sql``
  const order = isLiked ? sql`order by t.likes_count desc, t.id desc` : sql`order by t.created_at desc, t.id desc`
  const rows = await rowsOf(
    ctx,
    query === null
      ? sql`
    select ${threadColumns}, (select count(*)::int from (select 1 from threads where state = 'shown' limit ${COUNT_UP_TO}) counted) as total
    from threads t ${joined(viewer)}
    where t.state = 'shown' ${before} ${order} limit ${top + 1}`
      : // Look up the matches first: the planner, which underestimates how selective words are, would scan the whole list.
        sql`
    with found as materialized (
      select id, created_at, likes_count from threads where state = 'shown' and search_keys @@ ${query}::tsquery
    ), page as (select id from found t where true ${before} ${order} limit ${top + 1})
    select ${threadColumns}, (select least(count(*), ${COUNT_UP_TO})::int from found) as total
    from page join threads t on t.id = page.id ${joined(viewer)} ${order}`,
    listedThreadRow,
  )
  const threads = rows.slice(0, top).map((row) => {
    const { total: _, ...thread } = row
    return toPost(thread, viewer)
  })
  const last = threads.at(-1)
  return {
    threads,
    count: rows[0]?.total ?? 0,
    isFirst: cursor === null,
    next: rows.length > top && last ? encodeCursor(list, { value: String(isLiked ? last.likes : last.at.getTime()), id: last.id }) : null,
  }
}

const beforeCursor = (isLiked: boolean, { value, id }: Cursor): SQL =>
  isLiked
    ? sql`and (t.likes_count, t.id) < (${Number(value)}::bigint, ${id}::bigint)`
    : sql`and (t.created_at, t.id) < (${new Date(Number(value)).toISOString()}::timestamptz, ${id}::bigint)`

/** The newest public replies of each of these discussions, oldest first. */
export async function listNewestReplies(ctx: Ctx, threadIds: number[]): Promise<Map<number, Reply[]>> {
  const viewer = requireLoggedIn(ctx)
  if (threadIds.length === 0) return new Map()
  const rows = await rowsOf(
    ctx,
    sql`
    select newest.* from unnest(${sql.param(`{${threadIds.join(',')}}`)}::bigint[]) wanted(id)
    cross join lateral (
      select ${replyColumns} from replies p left join users u on u.id = p.author_id
      where p.thread_id = wanted.id and p.state = 'shown' order by p.id desc limit ${NEWEST_REPLIES}
    ) newest order by newest.id`,
    replyRow,
  )
  return Map.groupBy(
    rows.map((row) => toPost(row, viewer)),
    ({ threadId }) => threadId,
  )
}

/** The viewer's own posts that others do not see, with the reason, newest first. */
export async function listOwnUnseen(ctx: Ctx): Promise<(Reply | (Thread & { threadId: number }))[]> {
  const viewer = requireLoggedIn(ctx)
  const unseen = sql`in ('review', 'hidden')`
  const rows = await rowsOf(
    ctx,
    sql`
    select * from (
      select ${replyColumns} from replies p left join users u on u.id = p.author_id where p.author_id = ${viewer.id}::bigint and p.state ${unseen}
      union all
      select ${postColumns(sql`p`)}, p.id::float8 as "threadId"
      from threads p left join users u on u.id = p.author_id where p.author_id = ${viewer.id}::bigint and p.state ${unseen}
    ) own order by at desc, id desc limit ${OWN_SHOWN}`,
    replyRow,
  )
  return rows.map((row) => toPost(row, viewer))
}

/** Raises NOT_FOUND for viewers who may not see it. A deleted discussion with answers stays as a placeholder: only admins see its content. */
export async function getThread(ctx: Ctx, id: number): Promise<Thread> {
  const viewer = requireLoggedIn(ctx)
  const [row] = await rowsOf(ctx, sql`select ${threadColumns} from threads t ${joined(viewer)} where t.id = ${id}::bigint`, threadRow)
  if (!row) throw notFound()
  const thread = toPost(row, viewer)
  if (can(viewer, 'see-post', row)) return thread
  if (thread.state === 'deleted' && thread.replyCount > 0) return { ...thread, content: '', author: null, reason: null }
  throw notFound()
}

/** Guards calls and likes: raises NOT_FOUND unless the discussion is public. */
export async function ensureShown(ctx: Ctx, id: number): Promise<void> {
  if ((await getThread(ctx, id)).state !== 'shown') throw notFound()
}

interface ReplyPage {
  replies: Reply[]
  isFirst: boolean
  next: number | null
}

/** Replies oldest first, after one or up to one. Author and admins see a pending or hidden reply in its place, but not in a plain list. */
export async function listReplies(
  ctx: Ctx,
  threadId: number,
  { after = null, upTo = null, top, isPlain = false }: { after?: number | null; upTo?: number | null; top: number; isPlain?: boolean },
): Promise<ReplyPage> {
  const viewer = requireLoggedIn(ctx)
  const seen = isPlain
    ? sql`p.state = 'shown'`
    : can(viewer, 'operate')
      ? sql`true`
      : sql`(p.state = 'shown' or (p.author_id = ${viewer.id}::bigint and p.state in ('review', 'hidden')))`
  const where = sql`p.thread_id = ${threadId}::bigint and ${seen}`
  const isBackwards = upTo !== null
  const rows = await rowsOf(
    ctx,
    isBackwards
      ? sql`
    select ${replyColumns}, exists (select 1 from replies p where ${where} and p.id > ${upTo}::bigint) as "hasMore"
    from replies p left join users u on u.id = p.author_id where ${where} and p.id <= ${upTo}::bigint order by p.id desc limit ${top + 1}`
      : sql`
    select ${replyColumns}, false as "hasMore"
    from replies p left join users u on u.id = p.author_id where ${where} and p.id > ${after ?? 0}::bigint order by p.id limit ${top + 1}`,
    pagedReplyRow,
  )
  const replies = rows.slice(0, top).map((row) => {
    const { hasMore: _, ...reply } = row
    return toPost(reply, viewer)
  })
  if (isBackwards) replies.reverse()
  const hasMore = isBackwards ? (rows[0]?.hasMore ?? false) : rows.length > top
  return { replies, isFirst: isBackwards ? rows.length <= top : after === null, next: hasMore ? (replies.at(-1)?.id ?? null) : null }
}

const postRow = z.object({
  id: z.number(),
  authorId: z.number().nullable(),
  authorName: z.string().nullable(),
  content: z.string(),
  at: momentShape,
  state: z.enum(POST_STATES),
  /** The reason why it was hidden. */
  reason: z.string().nullable(),
})
const threadRow = postRow.extend({
  likes: z.number(),
  isLiked: z.boolean(),
  /** Public replies only. */
  replyCount: z.number(),
})
const listedThreadRow = threadRow.extend({ total: z.number() })
const replyRow = postRow.extend({ threadId: z.number() })
const pagedReplyRow = replyRow.extend({ hasMore: z.boolean() })

const postColumns = (table: SQL) => sql`
  ${table}.id::float8 as id, ${table}.author_id::float8 as "authorId", u.name as "authorName", ${table}.content,
  ${epochMs(sql`${table}.created_at`)} as at, ${table}.state, ${table}.reason`
const threadColumns = sql`
  ${postColumns(sql`t`)}, t.likes_count as likes, k.user_id is not null as "isLiked", t.replies_count as "replyCount"`
/** The author's name, and whether the reader likes it. */
const joined = (viewer: Viewer) =>
  sql`left join users u on u.id = t.author_id left join thread_likes k on k.thread_id = t.id and k.user_id = ${viewer.id}::bigint`
const replyColumns = sql`${postColumns(sql`p`)}, p.thread_id::float8 as "threadId"`

function toPost<Row extends z.output<typeof postRow>>({ authorId, authorName, ...post }: Row, viewer: Viewer) {
  /** Null after the author has deleted their account. */
  const author = authorId !== null && authorName ? { id: authorId, name: authorName } : null
  return { ...post, author, isOwn: authorId === viewer.id }
}
type Posted<Row> = Omit<Row, 'authorId' | 'authorName'> & Pick<ReturnType<typeof toPost>, 'author' | 'isOwn'>
export type Post = Posted<z.output<typeof postRow>>
export type Thread = Posted<z.output<typeof threadRow>>
export type Reply = Posted<z.output<typeof replyRow>>
