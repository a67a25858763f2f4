import { postPath, type PostRef } from '#src/forum/flags.server.ts'
import {
  DECIDED_PER_PAGE,
  getForDecision,
  listDecided,
  listWaiting,
  POSTS_PER_PAGE,
  type WaitingPost,
} from '#src/forum/moderation.server.ts'
import { ageOf } from '#src/kit/records/waiting.ts'
import { readSettings } from '#src/kit/records/settings.server.ts'
import { answersFor } from '#src/ready-answers/queries.server.ts'
import { readPageNumber } from '#src/ui/desk-query.ts'
import type { Ctx } from '#src/kit/context.ts'
import { formatDaysAgo, formatMoment } from '#src/kit/time-money/dates.ts'
import type { PageArgs } from '#src/kit/http/page.server.ts'
import { searchText } from '#src/kit/text/plain-text.ts'
import { notFound } from '#src/kit/base/problem.ts'
import { parseId } from '#src/kit/ids.ts'

export async function readForumDesk(ctx: Ctx, { url }: PageArgs) {
  const query = url.searchParams
  const isHistory = query.get('state') === 'closed'
  const page = readPageNumber(query.get('page'))
  const text = searchText(query.get('q') ?? '', 80)
  const { posts, waiting } = await listWaiting(ctx, isHistory ? 1 : page, text)
  const { decided, total } = await listDecided(ctx, isHistory ? page : 1, text)
  const target = (await readSettings(ctx)).deskTargets.forum
  const chosen = query.get('post')
  const one = chosen === null ? (isHistory ? undefined : posts[0]) : await getForDecision(ctx, postIn(chosen))
  return {
    text,
    isHistory,
    page,
    perPage: isHistory ? DECIDED_PER_PAGE : POSTS_PER_PAGE,
    total,
    decided: isHistory ? decided.map(({ at, ...row }) => ({ ...row, key: `${row.kind}-${row.id}`, at: formatMoment(at, ctx.locale) })) : [],
    posts: isHistory ? [] : posts.map((post) => shownRow(ctx, post, target)),
    one: one ? await shownCase(ctx, one, target) : null,
    isChosen: chosen !== null,
    waiting,
    done: (['left', 'hidden', 'undone'] as const).find((each) => each === query.get('done')) ?? null,
    of: query.get('of') ?? '',
  }
}

const shownRow = (ctx: Ctx, { at, flags, ...post }: WaitingPost, target: number) => ({
  ...post,
  // A reported post waits since its first report.
  age: ageOf(flags[0]?.at ?? at, ctx.now, target),
  key: `${post.kind}-${post.id}`,
  reasons: [...new Set(flags.map(({ reason }) => reason))],
})

/** A post with everything that an admin needs for the decision. */
const shownCase = async (ctx: Ctx, post: WaitingPost, target: number) => ({
  ...shownRow(ctx, post, target),
  answers: await answersFor(ctx, 'forum', post.author?.locale ?? ctx.locale),
  path: postPath(post, post.threadId),
  when: formatDaysAgo(post.at, ctx.now, ctx.locale),
  flags: post.flags.map(({ at, ...flag }) => ({ ...flag, when: formatDaysAgo(at, ctx.now, ctx.locale) })),
})

export function postIn(text: string): PostRef {
  const [, kind, number] = /^(thread|reply)-(\d+)$/.exec(text) ?? []
  const id = parseId(number)
  if (id === null) throw notFound()
  return { kind: kind === 'thread' ? 'thread' : 'reply', id }
}
