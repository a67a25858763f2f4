import { redirect } from 'react-router'
import { z } from 'zod'
import { textOf } from '#src/accounts/sign-in/auth-forms.server.ts'
import { requireCapability } from '#src/accounts/page-guards.server.ts'
import { postPath, type PostRef } from '#src/forum/flags.server.ts'
import { getForDecision, hidePost, leavePost, listWaiting, type WaitingPost } from '#src/forum/moderation.server.ts'
import { hideReason } from '#src/forum/schemas.ts'
import type { Ctx } from '#src/kit/context.ts'
import { formatDaysAgo } from '#src/kit/time-money/dates.ts'
import { localized } from '#src/kit/text/locale.ts'
import { formHeaders, formLoader, pageAction, parseForm, asInternalProblem } from '#src/kit/http/page.server.ts'
import { notFound } from '#src/kit/problem.ts'
import { pageMeta } from '#src/kit/http/seo.ts'
import { parseId } from '#src/kit/ids.ts'
import { m } from '#src/paraglide/messages.js'
import { ForumDeskView } from './forum-page-view.tsx'
import type { Route } from './+types/forum-page'

export const loader = formLoader(async (ctx, { url }) => {
  requireCapability(ctx, url, 'operate')
  const one = url.searchParams.get('post')
  const { posts, waiting } = one === null ? await listWaiting(ctx) : { posts: [await getForDecision(ctx, postIn(one))], waiting: 1 }
  return {
    posts: posts.map((post) => shown(ctx, post)),
    waiting,
    one,
    done: (['left', 'hidden'] as const).find((each) => each === url.searchParams.get('done')) ?? null,
    locale: ctx.locale,
    origin: ctx.publicOrigin,
  }
})

const shown = (ctx: Ctx, { at, flags, ...post }: WaitingPost) => ({
  ...post,
  key: `${post.kind}-${post.id}`,
  path: postPath(post, post.threadId),
  when: formatDaysAgo(at, ctx.now, ctx.locale),
  flags: flags.map(({ at, ...flag }) => ({ ...flag, when: formatDaysAgo(at, ctx.now, ctx.locale) })),
})

export const action = pageAction('forum-desk', async (ctx, { form }) => {
  const post = postIn(textOf(form, 'post'))
  const { act } = parseForm(z.object({ act: z.enum(['leave', 'hide']) }), { act: textOf(form, 'act') })
  const done = await asInternalProblem(ctx, 'a post could not be decided on', () =>
    act === 'leave' ? left(ctx, post) : hidden(ctx, post, parseForm(hideReason, { reason: textOf(form, 'reason') }).reason),
  )
  throw redirect(localized(`/admin/forum?done=${done}`, ctx.locale))
})

async function left(ctx: Ctx, post: PostRef): Promise<'left'> {
  await leavePost(ctx, post)
  return 'left'
}

async function hidden(ctx: Ctx, post: PostRef, reason: string): Promise<'hidden'> {
  await hidePost(ctx, post, reason)
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
    ? pageMeta({
        ...loaderData,
        path: '/admin/forum',
        title: m.forum_desk_title(),
        description: m.forum_desk_lead(),
        keywords: import.meta.env.SSR && m.home_keywords(),
        siteName: m.site_name(),
        noIndex: true,
      })
    : []

export default function ForumDeskPage({ loaderData, actionData }: Route.ComponentProps) {
  return <ForumDeskView {...loaderData} refused={actionData?.refused} />
}

export type ForumDeskData = Route.ComponentProps['loaderData']
