import { Form } from 'react-router'
import { FormFailure } from '#src/ui/form-failure.tsx'
import { useFocusOnError } from '#src/ui/use-focus-on-error.ts'
import { LoggedOut } from '#src/accounts/sign-in/logged-out.tsx'
import type { FormRefusal } from '#src/kit/http/page.server.ts'
import { m } from '#src/paraglide/messages.js'
import { Icon } from '#src/ui/icon.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { Pager } from '#src/ui/pager.tsx'
import { Guidelines, PostFailure, DoneNote, Writing } from './writing.tsx'
import { LikeButton, nameOf, PostBody, PostTools } from './post-parts.tsx'
import { MAX_REPLY } from './limits.ts'
import type { Done, ThreadData } from './thread-page.tsx'

type ThreadPage = Extract<ThreadData, { kind: 'thread' }>

export function ThreadView({ page, refused }: { page: ThreadData; refused: FormRefusal | undefined }) {
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
        <Discussion page={page} refused={refused} />
      )}
    </div>
  )
}

const doneTexts: Record<Done, () => string> = { reply: m.forum_reply_sent, waits: m.forum_waits, deleted: m.forum_deleted_done }

function Discussion({ page, refused }: { page: ThreadPage; refused: FormRefusal | undefined }) {
  const to = useLocalPath()
  const { thread, replies, csrf } = page
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
            {thread.state === 'shown' && <LikeButton thread={thread} csrf={csrf} action={path} />}
            <div className="ml-auto flex flex-wrap gap-2">
              <PostTools post={thread} kind="thread" csrf={csrf} action={path} />
            </div>
          </div>
        )}
      </article>
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
                <PostTools post={reply} kind="reply" csrf={csrf} action={path} />
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
      <div id="sent" className="space-y-3">
        {page.done && !refused && <DoneNote>{doneTexts[page.done]()}</DoneNote>}
        {thread.state === 'shown' ? (
          <ReplyForm page={page} path={path} refused={ofReply} />
        ) : (
          <p className="text-stone">{m.forum_closed()}</p>
        )}
      </div>
    </>
  )
}

function ReplyForm({ page, path, refused }: { page: ThreadPage; path: string; refused: FormRefusal | undefined }) {
  const form = useFocusOnError(refused)
  return (
    <>
      <Form key={page.stamp} ref={form} method="post" action={`${path}#sent`} className="panel space-y-3 p-4">
        <input type="hidden" name="csrf" value={page.csrf} />
        <input type="hidden" name="act" value="reply" />
        <input type="hidden" name="stamp" value={refused?.typed.stamp ?? page.stamp} />
        <Writing id="forum-reply" name="reply" label={m.forum_reply()} max={MAX_REPLY} refused={refused} />
        {refused && !refused.errors.reply && <PostFailure refused={refused} failed={m.forum_reply_failed()} />}
        <button type="submit" className="button-primary w-full sm:w-auto">
          {m.forum_reply_send()}
        </button>
      </Form>
      <Guidelines />
    </>
  )
}
