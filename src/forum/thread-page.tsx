import { redirect } from 'react-router'
import type { Ctx, Site } from '#src/kit/context.ts'
import { keepWhenOffline } from '#src/kit/device/offline-form.ts'
import { localized } from '#src/kit/text/locale.ts'
import { formHeaders, formLoader, pageAction, asInternalProblem, textOf } from '#src/kit/http/page.server.ts'
import { Problem } from '#src/kit/base/problem.ts'
import { shorten } from '#src/kit/http/seo.ts'
import { plainMeta } from '#src/kit/http/plain-meta.ts'
import { parseId, idIn } from '#src/kit/ids.ts'
import { m } from '#src/paraglide/messages.js'
import { parseInput } from '#src/kit/parse-input.ts'
import { deleteReply, deleteThread, postReply } from './commands.server.ts'
import { postOnce } from './post-once.server.ts'
import { stampFor, typedSince } from './form-stamp.server.ts'
import { likeThread, unlikeThread } from './likes.server.ts'
import { nameOf } from './post-parts.tsx'
import { getThread, listReplies, REPLIES_PAGE } from './queries.server.ts'
import { newReply } from './schemas.ts'
import { shownReply, shownThread } from './post-view.server.ts'
import { ThreadView } from './thread-page-view.tsx'
import type { Route } from './+types/thread-page'

/** The act that was done, as a query value of the address after the form. */
const DONE = ['reply', 'waits', 'deleted'] as const
export type Done = (typeof DONE)[number]

export const loader = formLoader(async (ctx, { params, url }) => {
  const id = idIn(params.threadid)
  const shared = { id, locale: ctx.locale, origin: ctx.publicOrigin }
  if (!ctx.viewer) return { ...shared, kind: 'logged-out' as const }
  const thread = await getThread(ctx, id)
  const place = (name: string) => parseId(url.searchParams.get(name) ?? undefined)
  const page = await listReplies(ctx, id, { after: place('after'), upTo: place('at'), top: REPLIES_PAGE })
  return {
    ...shared,
    kind: 'thread' as const,
    thread: shownThread(ctx, thread),
    replies: page.replies.map((reply) => shownReply(ctx, reply)),
    isFirst: page.isFirst,
    next: page.next,
    done: DONE.find((each) => each === url.searchParams.get('done')) ?? null,
    stamp: stampFor(ctx),
  }
})

export const action = pageAction('thread', async (ctx, { params, form, site }): Promise<never> => {
  const threadId = idIn(params.threadid)
  const act = acts.get(textOf(form, 'act'))
  if (!act) throw new Problem('MALFORMED')
  throw redirect(localized(await asInternalProblem(ctx, 'a forum act failed', () => act(ctx, threadId, { form, site })), ctx.locale))
})

type Act = (ctx: Ctx, threadId: number, at: { form: FormData; site: Site }) => Promise<string>
const pathOf = (threadId: number) => `/forum/thread/${threadId}/replies`

/** The page's forms by name; each returns the redirect's address. */
const acts = new Map<string, Act>(
  Object.entries({
    reply: async (ctx, threadId, { form, site }) => {
      const { reply } = parseInput(newReply, { reply: textOf(form, 'reply') })
      const stamp = textOf(form, 'stamp')
      const words = `${threadId} ${reply}`
      const { id, waits } = await postOnce(ctx, { stamp, words }, (ctx) =>
        postReply(ctx, threadId, reply, { typedMs: typedSince(ctx, stamp), limitFactor: site.limits.factorOf('user') }),
      )
      return `${pathOf(threadId)}?at=${id}&done=${waits ? 'waits' : 'reply'}#sent`
    },
    like: async (ctx, threadId) => {
      await likeThread(ctx, threadId)
      return pathOf(threadId)
    },
    unlike: async (ctx, threadId) => {
      await unlikeThread(ctx, threadId)
      return pathOf(threadId)
    },
    'delete-thread': async (ctx, threadId) => {
      await deleteThread(ctx, threadId)
      return '/forum?done=deleted'
    },
    'delete-reply': async (ctx, _, { form }) => {
      const { threadId } = await deleteReply(ctx, idIn(textOf(form, 'id')))
      return `${pathOf(threadId)}?done=deleted#sent`
    },
  } satisfies Record<string, Act>),
)

export const clientAction = (args: Route.ClientActionArgs) =>
  keepWhenOffline(args, (form) => (form.get('act') === 'reply' ? { kind: 'reply', words: String(form.get('reply')) } : null))

export const headers = formHeaders

/** Search results never show it, but a browser's history does. */
const TITLE_LETTERS = 60

export const meta = ({ loaderData }: Route.MetaArgs) =>
  loaderData
    ? plainMeta({
        ...loaderData,
        path: `/forum/thread/${loaderData.id}/replies`,
        title:
          loaderData.kind === 'thread'
            ? shorten(loaderData.thread.content, TITLE_LETTERS) || m.forum_thread_of({ name: nameOf(loaderData.thread) })
            : m.forum_thread_head(),
        description: m.forum_thread_lead(),
      })
    : []

export default function ThreadPage({ loaderData, actionData }: Route.ComponentProps) {
  return <ThreadView page={loaderData} refused={actionData?.refused} />
}

export type ThreadData = Route.ComponentProps['loaderData']
