import { redirect } from 'react-router'
import { z } from 'zod'
import { postPath, type PostRef } from '#src/forum/flags.server.ts'
import {
  DECIDED_PER_PAGE,
  getForDecision,
  hidePost,
  leavePost,
  listDecided,
  listWaiting,
  POSTS_PER_PAGE,
  type PostDecision,
  type WaitingPost,
} from '#src/forum/moderation.server.ts'
import { ageOf } from '#src/kit/records/waiting.ts'
import { readSettings } from '#src/kit/records/settings.server.ts'
import { answersFor } from '#src/ready-answers/queries.server.ts'
import { readPageNumber } from '#src/ui/desk-query.ts'
import { hideReason } from '#src/forum/schemas.ts'
import type { Ctx } from '#src/kit/context.ts'
import { formatDaysAgo, formatMoment } from '#src/kit/time-money/dates.ts'
import { localized } from '#src/kit/text/locale.ts'
import { formHeaders, formLoader, pageAction, asInternalProblem, textOf } from '#src/kit/http/page.server.ts'
import { notFound } from '#src/kit/base/problem.ts'
import { plainMeta } from '#src/kit/http/plain-meta.ts'
import { parseId } from '#src/kit/ids.ts'
import { m } from '#src/paraglide/messages.js'
import { parseInput } from '#src/kit/parse-input.ts'
import { ForumDeskView } from './forum-page-view.tsx'
import type { Route } from './+types/forum-page'

export const loader = formLoader(async (ctx, { url }) => {
  const query = url.searchParams
  const isHistory = query.get('state') === 'closed'
  const page = readPageNumber(query.get('page'))
  const { posts, waiting } = await listWaiting(ctx, isHistory ? 1 : page)
  const { decided, total } = await listDecided(ctx, isHistory ? page : 1)
  const target = (await readSettings(ctx)).deskTargets.forum
  const chosen = query.get('post')
  const one = chosen === null ? (isHistory ? undefined : posts[0]) : await getForDecision(ctx, postIn(chosen))
  return {
    isHistory,
    page,
    perPage: isHistory ? DECIDED_PER_PAGE : POSTS_PER_PAGE,
    total,
    decided: isHistory ? decided.map(({ at, ...row }) => ({ ...row, key: `${row.kind}-${row.id}`, at: formatMoment(at, ctx.locale) })) : [],
    posts: isHistory ? [] : posts.map((post) => shownRow(ctx, post, target)),
    one: one ? await shownCase(ctx, one, target) : null,
    isChosen: chosen !== null,
    waiting,
    done: (['left', 'hidden'] as const).find((each) => each === query.get('done')) ?? null,
    locale: ctx.locale,
    origin: ctx.publicOrigin,
  }
})

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

export const action = pageAction('forum-desk', async (ctx, { form }) => {
  const post = postIn(textOf(form, 'post'))
  const { act } = parseInput(z.object({ act: z.enum(['leave', 'hide']) }), { act: textOf(form, 'act') })
  const seen = textOf(form, 'seen') || undefined
  const done = await asInternalProblem(ctx, 'a post could not be decided on', () =>
    act === 'leave'
      ? left(ctx, post, { seen })
      : hidden(ctx, post, { ...parseInput(hideReason, { reason: textOf(form, 'reason') }), seen }),
  )
  throw redirect(localized(`/admin/forum?done=${done}`, ctx.locale))
})

async function left(ctx: Ctx, post: PostRef, decision: PostDecision): Promise<'left'> {
  await leavePost(ctx, post, decision)
  return 'left'
}

async function hidden(ctx: Ctx, post: PostRef, decision: PostDecision & { reason: string }): Promise<'hidden'> {
  await hidePost(ctx, post, decision)
  return 'hidden'
}

function postIn(text: string): PostRef {
  const [, kind, number] = /^(thread|reply)-(\d+)$/.exec(text) ?? []
  const id = parseId(number)
  if (id === null) throw notFound()
  return { kind: kind === 'thread' ? 'thread' : 'reply', id }
}

export const headers = formHeaders

export const meta = ({ loaderData }: Route.MetaArgs) =>
  loaderData
    ? plainMeta({
        ...loaderData,
        path: '/admin/forum',
        title: m.forum_desk_title(),
        description: m.forum_desk_lead(),
      })
    : []

export default function ForumDeskPage({ loaderData, actionData }: Route.ComponentProps) {
  return <ForumDeskView {...loaderData} refused={actionData?.refused} />
}

export type ForumDeskData = Route.ComponentProps['loaderData']
