import { redirect } from 'react-router'
import { textOf } from '#src/accounts/sign-in/auth-forms.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { keepWhenOffline } from '#src/kit/device/offline-form.ts'
import { localized } from '#src/kit/text/locale.ts'
import { formHeaders, formLoader, pageAction, parseForm, asInternalProblem } from '#src/kit/http/page.server.ts'
import { COUNT_UP_TO } from '#src/kit/http/pagination.ts'
import { notFound, Problem } from '#src/kit/problem.ts'
import { pageMeta } from '#src/kit/http/seo.ts'
import { parseId } from '#src/kit/ids.ts'
import { MAX_SEARCH_CHARACTERS } from '#src/listings/search-limits.ts'
import { m } from '#src/paraglide/messages.js'
import { postThread } from './commands.server.ts'
import { postOnce } from './post-once.server.ts'
import { stampFor, typedSince } from './form-stamp.server.ts'
import { ForumView } from './forum-page-view.tsx'
import { likeThread, unlikeThread } from './likes.server.ts'
import { listOwnUnseen, listThreads, PAGE_SIZE } from './queries.server.ts'
import { SORTS } from './limits.ts'
import { newThread } from './schemas.ts'
import { beginningOf, shownReply } from './shown-post.server.ts'
import type { Route } from './+types/forum-page'

/** What was done, as a query value of the address after the form. */
const DONE = ['posted', 'waits', 'deleted'] as const
export type Done = (typeof DONE)[number]

export const loader = formLoader(async (ctx, { url }) => {
  const shared = { locale: ctx.locale, origin: ctx.publicOrigin }
  if (!ctx.viewer) return { ...shared, kind: 'logged-out' as const }
  const query = url.searchParams
  const sort = SORTS.find((each) => each === query.get('sort')) ?? 'newest'
  const text = [...(query.get('q') ?? '').trim()].slice(0, MAX_SEARCH_CHARACTERS).join('')
  const page = await listThreads(ctx, { sort, text, after: query.get('after'), top: PAGE_SIZE })
  return {
    ...shared,
    kind: 'list' as const,
    threads: page.threads.map((thread) => beginningOf(ctx, thread)),
    count: page.count,
    countsUpTo: COUNT_UP_TO,
    isFirst: page.isFirst,
    next: page.next,
    sort,
    text,
    unseen: page.isFirst && text === '' ? (await listOwnUnseen(ctx)).map((post) => shownReply(ctx, post)) : [],
    done: DONE.find((each) => each === query.get('done')) ?? null,
    stamp: stampFor(ctx),
  }
})

export const action = pageAction('forum', async (ctx, { form, url }): Promise<never> => {
  const act = acts.get(textOf(form, 'act'))
  if (!act) throw new Problem('MALFORMED')
  throw redirect(localized(await asInternalProblem(ctx, 'the forum did not take it', () => act(ctx, form, url)), ctx.locale))
})

type Act = (ctx: Ctx, form: FormData, url: URL) => Promise<string>

/** Each form of the page by its name; answers where to redirect. */
const acts = new Map<string, Act>(
  Object.entries({
    thread: async (ctx, form) => {
      const { content } = parseForm(newThread, { content: textOf(form, 'content') })
      const stamp = textOf(form, 'stamp')
      const { id, waits } = await postOnce(ctx, { stamp, words: content }, (ctx) =>
        postThread(ctx, content, { typedMs: typedSince(ctx, stamp) }),
      )
      return waits ? '/forum?done=waits' : `/forum?done=posted#t${id}`
    },
    like: async (ctx, form, url) => {
      const id = idIn(form)
      await likeThread(ctx, id)
      return backTo(url, id)
    },
    unlike: async (ctx, form, url) => {
      const id = idIn(form)
      await unlikeThread(ctx, id)
      return backTo(url, id)
    },
  } satisfies Record<string, Act>),
)

function idIn(form: FormData): number {
  const id = parseId(textOf(form, 'id'))
  if (id === null) throw notFound()
  return id
}

/** Back to the same page of the list, where the discussion stands. */
function backTo(url: URL, id: number): string {
  const query = new URLSearchParams()
  for (const name of ['sort', 'q', 'after']) {
    const value = url.searchParams.get(name)
    if (value) query.set(name, value)
  }
  return `/forum${query.size > 0 ? `?${query}` : ''}#t${id}`
}

export const clientAction = (args: Route.ClientActionArgs) =>
  keepWhenOffline(args, (form) => (form.get('act') === 'thread' ? { kind: 'thread', words: String(form.get('content')) } : null))

export const headers = formHeaders

export const meta = ({ loaderData }: Route.MetaArgs) =>
  loaderData
    ? pageMeta({
        ...loaderData,
        path: '/forum',
        title: m.forum_title(),
        description: m.forum_lead(),
        keywords: import.meta.env.SSR && m.home_keywords(),
        siteName: m.site_name(),
        noIndex: true,
      })
    : []

export default function ForumPage({ loaderData, actionData }: Route.ComponentProps) {
  return <ForumView page={loaderData} refused={actionData?.refused} />
}

export type ForumData = Route.ComponentProps['loaderData']
