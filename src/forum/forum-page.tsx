import { redirect } from 'react-router'
import type { Ctx, Site } from '#src/kit/context.ts'
import { keepWhenOffline } from '#src/kit/device/offline-form.ts'
import { localized } from '#src/kit/text/locale.ts'
import { formHeaders, formLoader, pageAction, asInternalProblem, textOf } from '#src/kit/http/page.server.ts'
import { COUNT_UP_TO } from '#src/kit/http/pagination.ts'
import { Problem } from '#src/kit/base/problem.ts'
import { plainMeta } from '#src/kit/http/plain-meta.ts'
import { idIn } from '#src/kit/ids.ts'
import { MAX_SEARCH_CHARACTERS } from '#src/listings/browse/search-limits.ts'
import { m } from '#src/paraglide/messages.js'
import { parseInput } from '#src/kit/parse-input.ts'
import { postThread } from './commands.server.ts'
import { postOnce } from './post-once.server.ts'
import { stampFor, typedSince } from './form-stamp.server.ts'
import { ForumView } from './forum-page-view.tsx'
import { likeThread, unlikeThread } from './likes.server.ts'
import { listOwnUnseen, listThreads, PAGE_SIZE } from './queries.server.ts'
import { SORTS } from './limits.ts'
import { newThread } from './schemas.ts'
import { beginningOf, shownReply } from './post-view.server.ts'
import type { Route } from './+types/forum-page'

/** The act that was done, as a query value of the address after the form. */
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

export const action = pageAction('forum', async (ctx, { form, url, site }): Promise<never> => {
  const act = acts.get(textOf(form, 'act'))
  if (!act) throw new Problem('MALFORMED')
  throw redirect(localized(await asInternalProblem(ctx, 'a forum act failed', () => act(ctx, form, { url, site })), ctx.locale))
})

type Act = (ctx: Ctx, form: FormData, at: { url: URL; site: Site }) => Promise<string>

/** The page's forms by name; each returns the redirect's address. */
const acts = new Map<string, Act>(
  Object.entries({
    thread: async (ctx, form, { site }) => {
      const { content } = parseInput(newThread, { content: textOf(form, 'content') })
      const stamp = textOf(form, 'stamp')
      const { id, waits } = await postOnce(ctx, { stamp, words: content }, (ctx) =>
        postThread(ctx, content, { typedMs: typedSince(ctx, stamp), limitFactor: site.limits.factorOf('user') }),
      )
      return waits ? '/forum?done=waits' : `/forum?done=posted#t${id}`
    },
    like: async (ctx, form, { url }) => {
      const id = idIn(textOf(form, 'id'))
      await likeThread(ctx, id)
      return backTo(url, id)
    },
    unlike: async (ctx, form, { url }) => {
      const id = idIn(textOf(form, 'id'))
      await unlikeThread(ctx, id)
      return backTo(url, id)
    },
  } satisfies Record<string, Act>),
)

/** The page of the list that has this discussion. */
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
  loaderData ? plainMeta({ ...loaderData, path: '/forum', title: m.forum_title(), description: m.forum_lead() }) : []

export default function ForumPage({ loaderData, actionData }: Route.ComponentProps) {
  return <ForumView page={loaderData} refused={actionData?.refused} />
}

export type ForumData = Route.ComponentProps['loaderData']
