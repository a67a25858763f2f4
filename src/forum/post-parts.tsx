import type { ReactNode } from 'react'
import { m } from '#src/paraglide/messages.js'
import { Icon } from '#src/ui/icon.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { LinkedText } from '#src/ui/linked-text.tsx'
import { HiddenFields, PostForm } from '#src/ui/post-form.tsx'
import type { ShownReply, ShownThread } from './post-view.server.ts'

type Shown = ShownThread | ShownReply

/** Author, time and content; a post that is not public says so. */
export function PostBody({ post, children }: { post: Shown; children?: ReactNode }) {
  return (
    <>
      <p className="flex flex-wrap items-baseline gap-x-2 text-sm text-stone">
        {/* Names come in any script: each keeps its own text direction, and so does the text below. */}
        <bdi className="text-base font-bold break-words text-ink">{nameOf(post)}</bdi>
        {post.isOwn && <span className="chip-good">{m.forum_you()}</span>}
        <time dateTime={post.at}>{post.when}</time>
      </p>
      {post.state !== 'shown' && <p className="notice font-semibold">{stateText(post)}</p>}
      {post.content !== '' && <LinkedText text={post.content} className="mt-1" />}
      {children}
    </>
  )
}

export const nameOf = ({ author }: Pick<Shown, 'author'>) => author?.name ?? m.profile_deleted_user()

function stateText({ state, reason }: Shown): string {
  if (state === 'review') return m.forum_state_review()
  return state === 'hidden' ? m.forum_state_hidden({ reason: reason ?? '' }) : m.forum_state_deleted()
}

/** A like button that shows its state; a form of its own, so that it works before scripts load. */
export function LikeButton({ thread, action }: { thread: ShownThread; action: string }) {
  return (
    <PostForm action={action} preventScrollReset>
      <input type="hidden" name="id" value={thread.id} />
      <button
        type="submit"
        name="act"
        value={thread.isLiked ? 'unlike' : 'like'}
        aria-pressed={thread.isLiked}
        className="inline-flex min-h-11 cursor-pointer items-center gap-2 rounded-control border border-line px-3 font-semibold hover:bg-leaf-soft aria-pressed:border-leaf aria-pressed:bg-leaf-soft aria-pressed:text-leaf"
      >
        <Icon name="heart" size={20} className={thread.isLiked ? 'fill-current' : 'fill-none'} />
        {/* On a phone the icon suffices: with the word, the buttons would take two rows. */}
        <span className="sr-only sm:not-sr-only">{m.forum_like()}</span>
        {thread.likes > 0 && <span aria-hidden="true">{thread.likes}</span>}
        {thread.likes > 0 && <span className="sr-only">{likesText(thread.likes)}</span>}
      </button>
    </PostForm>
  )
}

const likesText = (count: number) => (count === 1 ? m.forum_likes_one() : m.forum_likes({ count }))

export const repliesText = (count: number) =>
  count === 0 ? m.forum_replies_link_none() : count === 1 ? m.forum_replies_link_one() : m.forum_replies_link({ count })

/** Acts on a post: report another's, delete one's own. Admins decide instead of reporting. */
export function PostTools({ post, kind, action }: { post: Shown; kind: 'thread' | 'reply'; action: string | null }) {
  const to = useLocalPath()
  return (
    <>
      {!post.isOwn && !post.isDecidable && post.state === 'shown' && (
        <a
          href={to(`/forum/report/${kind}/${post.id}`)}
          aria-label={m.forum_report_of({ name: nameOf(post) })}
          className="tap-link px-1 text-sm"
        >
          {m.forum_report()}
        </a>
      )}
      {post.isDecidable && (
        <a href={to(`/admin/forum?post=${kind}-${post.id}`)} className="tap-link px-1 text-sm">
          {m.forum_decide()}
        </a>
      )}
      {post.isOwn && action !== null && post.state !== 'deleted' && (
        <details className="text-sm">
          <summary className="tap-link px-1">{m.forum_delete()}</summary>
          <PostForm action={action} className="mt-1 space-y-2 rounded-control bg-brick-soft p-3">
            <HiddenFields act={`delete-${kind}`} id={post.id} />
            <p>{m.forum_delete_sure()}</p>
            <button type="submit" className="button-danger">
              {m.forum_delete_yes()}
            </button>
          </PostForm>
        </details>
      )}
    </>
  )
}
