import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { audit } from '#src/kit/records/audit.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { notFound, Problem } from '#src/kit/base/problem.ts'
import { rowsOf } from '#src/kit/db/rows.server.ts'
import { requireLoggedIn } from '../accounts/policy.ts'
import type { PostKind } from './rules.ts'
import type { FlagInput } from './schemas.ts'

export interface PostRef {
  kind: PostKind
  id: number
}

const subjectRow = z.object({ content: z.string(), authorId: z.number().nullable(), threadId: z.number() })

/** The post that the viewer is about to report. Raises NOT_FOUND unless it is public, OWN_ROW for one's own. */
export async function getFlagSubject(ctx: Ctx, { kind, id }: PostRef): Promise<{ content: string; threadId: number }> {
  const viewer = requireLoggedIn(ctx)
  // A reply is public only while its discussion is public or a placeholder.
  const from =
    kind === 'thread'
      ? sql`threads p where p.id = ${id}::bigint and p.state = 'shown'`
      : sql`replies p join threads t on t.id = p.thread_id where p.id = ${id}::bigint and p.state = 'shown' and t.state in ('shown', 'deleted')`
  const rows = await rowsOf(
    ctx,
    sql`
    select p.content, p.author_id::float8 as "authorId", ${kind === 'thread' ? sql`p.id` : sql`p.thread_id`}::float8 as "threadId"
    from ${from}`,
    subjectRow,
  )
  const [post] = rows
  if (!post) throw notFound()
  if (post.authorId === viewer.id) throw new Problem('OWN_ROW', { reason: 'OWN_REPORT' })
  return { content: post.content, threadId: post.threadId }
}

/** Reports that a post breaks the rules. A second report replaces the first until an admin has decided. Raises NOT_FOUND, OWN_ROW. */
export async function flagPost(ctx: Ctx, post: PostRef, { reason, comment }: FlagInput): Promise<void> {
  const viewer = requireLoggedIn(ctx)
  await getFlagSubject(ctx, post)
  const column = sql.raw(`${post.kind}_id`)
  await inTransaction(ctx, async (ctx) => {
    // Waits for a decision that is being written: an admin would find the report on a hidden post, where nothing is left to decide.
    const shown = sql`select 1 from ${post.kind === 'thread' ? sql`threads` : sql`replies`} where id = ${post.id}::bigint and state = 'shown' for share`
    if ((await rowsOf(ctx, shown, z.unknown())).length === 0) throw notFound()
    await ctx.db.execute(sql`
      insert into flags (reporter_id, ${column}, reason, comment, created_at)
      values (${viewer.id}::bigint, ${post.id}::bigint, ${reason}, ${comment}, ${ctx.now.toISOString()}::timestamptz)
      on conflict (reporter_id, ${column}) where closed_at is null and ${column} is not null
      do update set reason = excluded.reason, comment = excluded.comment`)
    await audit(ctx, 'forum_post_flagged', objectOf(post), { reason })
  })
}

export const objectOf = ({ kind, id }: PostRef) => `${kind}:${id}`

/** The address of a post on the site, on whichever page of its discussion it is. */
export const postPath = ({ kind, id }: PostRef, threadId: number) =>
  kind === 'thread' ? `/forum/thread/${threadId}/replies` : `/forum/thread/${threadId}/replies?at=${id}#r${id}`
