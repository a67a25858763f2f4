import { redirect } from 'react-router'
import type { Ctx, Site } from '#src/kit/context.ts'
import { keepWhenOffline } from '#src/kit/device/offline-form.ts'
import { localized } from '#src/kit/text/locale.ts'
import { formHeaders, formLoader, pageAction, textOf, type FormRefusal } from '#src/kit/http/page.server.ts'
import { Problem } from '#src/kit/base/problem.ts'
import { shorten } from '#src/kit/http/seo.ts'
import { plainMeta } from '#src/kit/http/page-meta.ts'
import { parseId, idIn } from '#src/kit/ids.ts'
import { m } from '#src/paraglide/messages.js'
import { parseInput } from '#src/kit/parse-input.ts'
import { FormDone, FormFailure } from '#src/ui/form-failure.tsx'
import { useFocusOnError } from '#src/ui/use-focus-on-error.ts'
import { LoggedOut } from '#src/accounts/sign-in/logged-out.tsx'
import { Icon } from '#src/ui/icon.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { Pager } from '#src/ui/pager.tsx'
import { HiddenFields, PostForm } from '#src/ui/post-form.tsx'
import { deleteReply, deleteThread, postReply } from './commands.server.ts'
import { postOnce } from './post-once.server.ts'
import { stampFor, typedSince } from './form-stamp.server.ts'
import { likeThread, unlikeThread } from './likes.server.ts'
import { nameOf, LikeButton, PostBody, PostTools } from './post-parts.tsx'
import { getThread, listReplies, REPLIES_PAGE } from './queries.server.ts'
import { newReply } from './schemas.ts'
import { shownReply, shownThread } from './post-view.server.ts'
import { Guidelines, PostFailure, Writing } from './writing.tsx'
import { MAX_REPLY } from './limits.ts'
import type { Route } from './+types/thread-page'

/** The act that was done, as a query value of the address after the form. */
const DONE = ['reply', 'waits', 'deleted'] as const
type Done = (typeof DONE)[number]

export const loader = formLoader(async (ctx, { params, url }) => {
  const id = idIn(params.threadid)
  const shared = { id }
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
  throw redirect(localized(await act(ctx, threadId, { form, site }), ctx.locale))
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

export const meta = plainMeta<Route.MetaArgs>((page) => ({
  title:
    page.kind === 'thread'
      ? shorten(page.thread.content, TITLE_LETTERS) || m.forum_thread_of({ name: nameOf(page.thread) })
      : m.forum_thread_head(),
  description: m.forum_thread_lead(),
}))

type ThreadPage = Extract<Route.ComponentProps['loaderData'], { kind: 'thread' }>

export default function ThreadPage({ loaderData: page, actionData }: Route.ComponentProps) {
  const to = useLocalPath()
  return (
    <div className="page-column max-w-3xl">
      <a href={to('/forum')} className="tap-link gap-1 font-semibold">
        <Icon name="back" size={20} />
        {m.forum_back()}
      </a>
      {page.kind === 'logged-out' ? (
        <>
          <h1 className="text-2xl">{m.forum_title()}</h1>
          <Guidelines />
          <LoggedOut path={`/forum/thread/${page.id}/replies`} />
        </>
      ) : (
        <Discussion page={page} refused={actionData?.refused} />
      )}
    </div>
  )
}

const doneTexts: Record<Done, () => string> = { reply: m.forum_reply_sent, waits: m.forum_waits, deleted: m.forum_deleted_done }

function Discussion({ page, refused }: { page: ThreadPage; refused: FormRefusal | undefined }) {
  const to = useLocalPath()
  const { thread } = page
  const path = to(`/forum/thread/${page.id}/replies`)
  const ofReply = refused && refused.typed.reply !== undefined ? refused : undefined
  return (
    <>
      <h1 className="text-2xl">{m.forum_thread_of({ name: nameOf(thread) })}</h1>
      {refused && !ofReply && <FormFailure detail={refused.detail} />}
      <article id={`t${thread.id}`} className="panel overflow-clip p-4">
        <PostBody post={thread} />
        {thread.state !== 'deleted' && (
          <div className="row mt-3 gap-2">
            {thread.state === 'shown' && <LikeButton thread={thread} action={path} />}
            <div className="ml-auto flex flex-wrap gap-2">
              <PostTools post={thread} kind="thread" action={path} />
            </div>
          </div>
        )}
      </article>
      <Replies page={page} path={path} />
      <div id="sent" className="space-y-3">
        {page.done && !refused && <FormDone>{doneTexts[page.done]()}</FormDone>}
        {thread.state === 'shown' ? (
          <ReplyForm page={page} path={path} refused={ofReply} />
        ) : (
          <p className="text-stone">{m.forum_closed()}</p>
        )}
      </div>
    </>
  )
}

function Replies({ page, path }: { page: ThreadPage; path: string }) {
  const { thread, replies } = page
  return (
    <section aria-labelledby="replies" className="space-y-3">
      <h2 id="replies" className="text-xl">
        {m.forum_replies()} {thread.replyCount > 0 && <span className="text-stone">· {thread.replyCount}</span>}
      </h2>
      {replies.length === 0 && <p className="text-stone">{m.forum_no_replies()}</p>}
      <ol className="space-y-3">
        {replies.map((reply) => (
          <li key={reply.id} id={`r${reply.id}`} className="panel ml-3 overflow-clip px-4 pt-4 pb-1 target:border-leaf md:ml-8">
            <PostBody post={reply} />
            <div className="mt-1 flex flex-wrap justify-end gap-2">
              <PostTools post={reply} kind="reply" action={path} />
            </div>
          </li>
        ))}
      </ol>
      <Pager
        label={m.forum_pages()}
        first={page.isFirst ? null : path}
        next={page.next === null ? null : `${path}?after=${page.next}`}
        firstText={m.forum_first_replies()}
        nextText={m.forum_next_replies()}
      />
    </section>
  )
}

function ReplyForm({ page, path, refused }: { page: ThreadPage; path: string; refused: FormRefusal | undefined }) {
  const form = useFocusOnError(refused)
  return (
    <>
      <PostForm key={page.stamp} ref={form} action={`${path}#sent`} className="panel space-y-3 p-4">
        <HiddenFields act="reply" stamp={refused?.typed.stamp ?? page.stamp} />
        <Writing id="forum-reply" name="reply" label={m.forum_reply()} max={MAX_REPLY} refused={refused} />
        {refused && !refused.errors.reply && <PostFailure refused={refused} failed={m.forum_reply_failed()} />}
        <button type="submit" className="button-primary w-full sm:w-auto">
          {m.forum_reply_send()}
        </button>
      </PostForm>
      <Guidelines />
    </>
  )
}
