import { redirect, useLocation } from 'react-router'
import type { Ctx, Site } from '#src/kit/context.ts'
import { keepWhenOffline } from '#src/kit/device/offline-form.ts'
import { localized } from '#src/kit/text/locale.ts'
import { formHeaders, formLoader, pageAction, textOf, type FormRefusal } from '#src/kit/http/page.server.ts'
import { COUNT_UP_TO } from '#src/kit/http/pagination.ts'
import { Problem } from '#src/kit/base/problem.ts'
import { plainMeta } from '#src/kit/http/page-meta.ts'
import { idIn } from '#src/kit/ids.ts'
import { MAX_SEARCH_CHARACTERS } from '#src/listings/browse/search-limits.ts'
import { m } from '#src/paraglide/messages.js'
import { tableAddress } from '#src/ui/desk-query.ts'
import { parseInput } from '#src/kit/parse-input.ts'
import { FormDone, FormFailure } from '#src/ui/form-failure.tsx'
import { useFocusOnError } from '#src/ui/use-focus-on-error.ts'
import { LoggedOut } from '#src/accounts/sign-in/logged-out.tsx'
import { countText } from '#src/kit/text/count-text.ts'
import { Icon } from '#src/ui/icon.tsx'
import { Input } from '#src/ui/input.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { Pager } from '#src/ui/pager.tsx'
import { HiddenFields, PostForm } from '#src/ui/post-form.tsx'
import { TitledPanel } from '#src/ui/panels.tsx'
import { postThread } from './commands.server.ts'
import { postOnce } from './post-once.server.ts'
import { stampFor, typedSince } from './form-stamp.server.ts'
import { likeThread, unlikeThread } from './likes.server.ts'
import { listOwnUnseen, listThreads, PAGE_SIZE } from './queries.server.ts'
import { SORTS, MAX_CONTENT, type Sort } from './limits.ts'
import { newThread } from './schemas.ts'
import { beginningOf, shownReply, type ShownThread } from './post-view.server.ts'
import { Guidelines, PostFailure, Writing } from './writing.tsx'
import { LikeButton, PostBody, PostTools, repliesText } from './post-parts.tsx'
import type { Route } from './+types/forum-page'

/** The act that was done, as a query value of the address after the form. */
const DONE = ['posted', 'waits', 'deleted'] as const
type Done = (typeof DONE)[number]

export const loader = formLoader(async (ctx, { url }) => {
  if (!ctx.viewer) return { kind: 'logged-out' as const }
  const query = url.searchParams
  const sort = SORTS.find((each) => each === query.get('sort')) ?? 'newest'
  const text = [...(query.get('q') ?? '').trim()].slice(0, MAX_SEARCH_CHARACTERS).join('')
  const page = await listThreads(ctx, { sort, text, after: query.get('after'), top: PAGE_SIZE })
  return {
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
  throw redirect(localized(await act(ctx, form, { url, site }), ctx.locale))
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
  const chosen = Object.fromEntries(['sort', 'q', 'after'].map((name) => [name, url.searchParams.get(name)]))
  return `${tableAddress('/forum', chosen)}#t${id}`
}

export const clientAction = (args: Route.ClientActionArgs) =>
  keepWhenOffline(args, (form) => (form.get('act') === 'thread' ? { kind: 'thread', words: String(form.get('content')) } : null))

export const headers = formHeaders

export const meta = plainMeta<Route.MetaArgs>(() => ({ title: m.forum_title(), description: m.forum_lead() }))

type ListPage = Extract<Route.ComponentProps['loaderData'], { kind: 'list' }>

export default function ForumPage({ loaderData: page, actionData }: Route.ComponentProps) {
  return (
    <div className="page-column max-w-3xl">
      <h1 className="text-2xl">{m.forum_title()}</h1>
      <p className="text-stone">{m.forum_lead()}</p>
      <Guidelines />
      {page.kind === 'logged-out' ? <LoggedOut path="/forum" /> : <List page={page} refused={actionData?.refused} />}
    </div>
  )
}

const doneTexts: Record<Done, () => string> = { posted: m.forum_posted, waits: m.forum_waits, deleted: m.forum_deleted_done }
const sortTexts: Record<Sort, () => string> = { newest: m.forum_sort_newest, liked: m.forum_sort_liked }

/** The list's address with the chosen filters; omits the default order, newest first. */
const pathOf = ({ sort, text, after = null }: { sort: Sort; text: string; after?: string | null }): string =>
  tableAddress('/forum', { q: text, sort: sort === 'newest' ? null : sort, after })

function List({ page, refused }: { page: ListPage; refused: FormRefusal | undefined }) {
  const to = useLocalPath()
  const { search } = useLocation()
  const { threads, sort, text } = page
  const after = new URLSearchParams(search).get('after')
  const ofWriting = refused && refused.typed.content !== undefined ? refused : undefined
  return (
    <>
      {page.done && !refused && <FormDone>{doneTexts[page.done]()}</FormDone>}
      {refused && !ofWriting && <FormFailure detail={refused.detail} />}
      {page.unseen.length > 0 && <Unseen page={page} />}
      <NewThread page={page} refused={ofWriting} />
      <Search page={page} />
      {threads.length > 0 && <CountAndOrder page={page} />}
      {threads.length === 0 ? (
        <div className="empty-panel">
          <p>{text === '' ? m.forum_empty() : m.forum_none_found()}</p>
          {text !== '' && (
            <a href={to(pathOf({ sort, text: '' }))} className="button-plain">
              {m.forum_show_all()}
            </a>
          )}
        </div>
      ) : (
        <ol className="space-y-3">
          {threads.map((thread) => (
            <li key={thread.id}>
              <ThreadCard thread={thread} action={to(pathOf({ sort, text, after }))} />
            </li>
          ))}
        </ol>
      )}
      <Pager
        label={m.forum_pages()}
        first={page.isFirst ? null : to(pathOf({ sort, text }))}
        next={page.next ? to(pathOf({ sort, text, after: page.next })) : null}
      />
    </>
  )
}

function Search({ page: { text, sort } }: { page: ListPage }) {
  const to = useLocalPath()
  return (
    <form method="get" action={to('/forum')} role="search" className="flex gap-2">
      <label htmlFor="forum-search" className="sr-only">
        {m.forum_search()}
      </label>
      <Input id="forum-search" name="q" type="search" maxLength={100} defaultValue={text} placeholder={m.forum_search_hint()} />
      {sort !== 'newest' && <input type="hidden" name="sort" value={sort} />}
      <button type="submit" className="button-primary px-4">
        <Icon name="search" size={20} />
        <span className="sr-only sm:not-sr-only">{m.forum_search_go()}</span>
      </button>
    </form>
  )
}

function CountAndOrder({ page }: { page: ListPage }) {
  const to = useLocalPath()
  return (
    <div className="row justify-between gap-2">
      <p className="font-semibold">
        {countText(page.count, page.countsUpTo, { one: m.forum_count_one, many: m.forum_count, more: m.forum_count_more })}
      </p>
      <nav aria-label={m.forum_sort()} className="flex flex-wrap gap-2">
        {SORTS.map((each) => (
          <a
            key={each}
            href={to(pathOf({ sort: each, text: page.text }))}
            aria-current={each === page.sort ? 'true' : undefined}
            className="inline-flex min-h-11 items-center rounded-full border border-line bg-paper px-4 text-sm font-semibold hover:bg-leaf-soft aria-[current]:border-leaf aria-[current]:bg-leaf aria-[current]:text-white"
          >
            {sortTexts[each]()}
          </a>
        ))}
      </nav>
    </div>
  )
}

function NewThread({ page, refused }: { page: ListPage; refused: FormRefusal | undefined }) {
  const form = useFocusOnError(refused)
  return (
    <PostForm key={page.stamp} ref={form} action={useLocalPath()('/forum')} className="panel space-y-3 p-4">
      <HiddenFields act="thread" stamp={refused?.typed.stamp ?? page.stamp} />
      <Writing
        id="forum-content"
        name="content"
        label={m.forum_content()}
        hint={m.forum_content_hint()}
        max={MAX_CONTENT}
        refused={refused}
      />
      {refused && !refused.errors.content && <PostFailure refused={refused} failed={m.forum_post_failed()} />}
      <button type="submit" className="button-primary w-full sm:w-auto">
        {m.forum_post()}
      </button>
    </PostForm>
  )
}

function ThreadCard({ thread, action }: { thread: ShownThread & { isCut: boolean }; action: string }) {
  const to = useLocalPath()
  const path = to(`/forum/thread/${thread.id}/replies`)
  return (
    <article id={`t${thread.id}`} className="panel overflow-clip p-4 target:border-leaf">
      <PostBody post={thread}>
        {thread.isCut && (
          <a href={path} className="tap-link font-semibold">
            {m.forum_more()}
          </a>
        )}
      </PostBody>
      <div className="row mt-3 gap-2">
        <LikeButton thread={thread} action={action} />
        <a
          href={path}
          className="inline-flex min-h-11 items-center gap-2 rounded-control border border-line px-3 font-semibold text-leaf hover:bg-leaf-soft"
        >
          <Icon name="chat" size={20} />
          {repliesText(thread.replyCount)}
        </a>
        <div className="ml-auto flex flex-wrap gap-2">
          <PostTools post={thread} kind="thread" action={null} />
        </div>
      </div>
    </article>
  )
}

/** The reader's own posts that others do not see, each with the reason. */
function Unseen({ page }: { page: ListPage }) {
  const to = useLocalPath()
  return (
    <TitledPanel id="unseen" title={m.forum_own_unseen()} className="panel space-y-2 overflow-clip border-turmeric p-4">
      <ul className="space-y-3">
        {page.unseen.map((post) => (
          <li key={`${post.threadId}-${post.id}-${post.at}`} className="space-y-1">
            <PostBody post={post} />
            <a href={to(`/forum/thread/${post.threadId}/replies`)} className="tap-link text-sm">
              {m.forum_thread_title()}
            </a>
          </li>
        ))}
      </ul>
    </TitledPanel>
  )
}
