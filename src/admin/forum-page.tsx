import { redirect } from 'react-router'
import { z } from 'zod'
import { hidePost, leavePost, undoHide } from '#src/forum/moderation.server.ts'
import { hideReason } from '#src/forum/schemas.ts'
import { localized } from '#src/kit/text/locale.ts'
import { formHeaders, formLoader, pageAction, textOf, type FormRefusal } from '#src/kit/http/page.server.ts'
import { plainMeta } from '#src/kit/http/page-meta.ts'
import { m } from '#src/paraglide/messages.js'
import { parseInput } from '#src/kit/parse-input.ts'
import { fieldsOf } from '#src/ui/field.tsx'
import { FormFailure } from '#src/ui/form-failure.tsx'
import { flagTexts } from '#src/forum/flag-reasons.ts'
import { AgeChip } from '#src/ui/age-chip.tsx'
import { Remarks } from '#src/reports/remarks.tsx'
import { ReadyAnswers } from '#src/ready-answers/ready-answers.tsx'
import { tableAddress } from '#src/ui/desk-query.ts'
import { DeskQueue, LostDecision, type CaseForm } from '#src/ui/desk-beside.tsx'
import { SearchHead } from '#src/ui/desk-filter.tsx'
import { TableViews, type Column } from '#src/ui/desk-table.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { LinkedText } from '#src/ui/linked-text.tsx'
import { CsrfField, HiddenFields } from '#src/ui/post-form.tsx'
import { TextAreaField } from '#src/ui/text-area-field.tsx'
import { UndoableDone } from '#src/ui/undo-button.tsx'
import { readForumDesk, postIn } from './forum-view.server.ts'
import type { Route } from './+types/forum-page'

export const loader = formLoader(readForumDesk)

export const action = pageAction('forum-desk', async (ctx, { form }) => {
  const post = postIn(textOf(form, 'post'))
  const { act } = parseInput(z.object({ act: z.enum(['leave', 'hide', 'undo']) }), { act: textOf(form, 'act') })
  const seen = textOf(form, 'seen')
  if (act === 'leave') await leavePost(ctx, post, { seen })
  else if (act === 'undo') await undoHide(ctx, post)
  else await hidePost(ctx, post, { ...parseInput(hideReason, { reason: textOf(form, 'reason') }), seen })
  throw redirect(localized(`/admin/forum?${doneQuery[act]}${textOf(form, 'post')}`, ctx.locale))
})

const doneQuery = { leave: 'done=left&of=', hide: 'done=hidden&of=', undo: 'done=undone&post=' }
const doneTexts = { left: m.forum_desk_done_left, hidden: m.forum_desk_done_hidden, undone: m.desk_undone }

export const headers = formHeaders

export const meta = plainMeta<Route.MetaArgs>(() => ({ title: m.forum_desk_title(), description: m.forum_desk_lead() }))

type ForumDeskData = Route.ComponentProps['loaderData']
type Page = ForumDeskData & { refused: FormRefusal | undefined }
type Row = ForumDeskData['posts'][number]
type Case = NonNullable<ForumDeskData['one']>

const stateTexts = {
  shown: m.forum_desk_shown,
  review: m.forum_desk_review,
  hidden: m.forum_desk_hidden,
  deleted: m.forum_desk_deleted,
}

/** The queue of posts, oldest first, and beside it the chosen post, which may be decided already. */
export default function ForumDeskPage({ loaderData, actionData }: Route.ComponentProps) {
  const to = useLocalPath()
  const { text, one, waiting, done, of, isHistory, total } = loaderData
  const refused = actionData?.refused
  const isOfCase = refused !== undefined && refused.typed.act !== 'undo' && one?.key === refused.typed.post
  return (
    <div className="space-y-2">
      <SearchHead title={m.forum_desk_title()} path="/admin/forum" text={text} choices={{ state: isHistory ? 'closed' : undefined }} />
      {done && !refused && <UndoableDone text={doneTexts[done]()} isUndoable={done === 'hidden'} fields={{ act: 'undo', post: of }} />}
      {refused && !isOfCase && <LostDecision refused={refused} gone={m.forum_desk_gone()} />}
      <TableViews
        views={[
          { name: m.desk_open_cases(), address: to(tableAddress('/admin/forum', { q: text })), isHere: !isHistory, count: waiting },
          {
            name: m.desk_decided(),
            address: to(tableAddress('/admin/forum', { q: text, state: 'closed' })),
            isHere: isHistory,
            count: total,
          },
        ]}
      />
      <Posts {...loaderData} refused={isOfCase ? refused : undefined} />
    </div>
  )
}

function Posts({ refused, ...data }: Page) {
  const { text, one, isChosen, isHistory, page, perPage, waiting, total } = data
  const queue = {
    keyOf: ({ key }: { key: string }) => key,
    none: text ? m.desk_none_found() : isHistory ? m.desk_none_decided() : m.forum_desk_none(),
    path: '/admin/forum',
    choices: { q: text, state: isHistory ? 'closed' : null },
    parameter: 'post',
    pages: { page, perPage, count: isHistory ? total : waiting },
    open: one && { key: one.key, label: nameOf(one), isChosen },
    canClose: isHistory,
    refused,
    children: (form: CaseForm) => one && <Waiting key={one.key} post={one} {...form} />,
  }
  if (isHistory) return <DeskQueue caption={m.desk_decided()} columns={decidedColumns()} rows={data.decided} {...queue} />
  return <DeskQueue caption={m.forum_desk_title()} columns={waitingColumns()} rows={data.posts} {...queue} />
}

const nameOf = ({ author }: Pick<Row, 'author'>) => author?.name || m.profile_deleted_user()

const Excerpt = ({ text }: { text: string }) => <span className="max-md:line-clamp-2">{text || m.forum_desk_deleted()}</span>

const waitingColumns = (): Column<Row>[] => [
  { id: 'post', label: m.forum_desk_post(), width: 'md:w-1/2', cell: ({ content }) => <Excerpt text={content} /> },
  { id: 'by', label: m.profile_name(), width: 'md:w-1/6', onCard: 'bare', cell: nameOf },
  {
    id: 'why',
    label: m.reports_column_reasons(),
    width: 'md:w-1/4',
    onCard: 'bare',
    cell: ({ state, reasons }) =>
      [...(state === 'review' ? [m.forum_desk_review()] : []), ...reasons.map((reason) => flagTexts[reason]())].join(' · '),
  },
  { id: 'age', label: m.enquiry_desk_age(), onCard: 'bare', cell: ({ age }) => <AgeChip age={age} /> },
]

const decidedColumns = (): Column<ForumDeskData['decided'][number]>[] => [
  {
    id: 'post',
    label: m.forum_desk_post(),
    width: 'md:w-1/3',
    cell: ({ content }) => <Excerpt text={content} />,
  },
  {
    id: 'kind',
    label: m.forum_desk_kind(),
    onCard: 'bare',
    cell: ({ kind }) => (kind === 'thread' ? m.forum_desk_thread() : m.forum_desk_reply()),
  },
  {
    id: 'decision',
    label: m.desk_decision(),
    onCard: 'bare',
    cell: ({ isHidden, isUndone }) => (isUndone ? m.forum_desk_undone() : isHidden ? m.timeline_hidden() : m.timeline_left()),
  },
  { id: 'reason', label: m.desk_note(), width: 'md:w-1/4', onCard: 'bare', cell: ({ reason, isHidden }) => (isHidden ? reason : null) },
  { id: 'by', label: m.desk_decided_by(), onCard: 'bare', cell: ({ adminName }) => adminName },
  { id: 'at', label: m.desk_decided_at(), onCard: 'bare', cell: ({ at }) => at },
]

type WaitingProps = CaseForm & { post: Case }

function Waiting({ post, action, refused }: WaitingProps) {
  const to = useLocalPath()
  return (
    <article aria-labelledby={`${post.key}-title`} className="panel overflow-hidden">
      <header className="row panel-title gap-2">
        <h2 id={`${post.key}-title`} className="text-lg">
          {post.author ? (
            <a href={to(`/admin/users/${post.author.id}`)} className="link inline-block py-1">
              {nameOf(post)}
            </a>
          ) : (
            m.profile_deleted_user()
          )}
        </h2>
        <span className="chip bg-paper">{post.kind === 'thread' ? m.forum_desk_thread() : m.forum_desk_reply()}</span>
        <span className="chip bg-paper">{stateTexts[post.state]()}</span>
        {post.author?.isActive === false && <span className="chip-bad">{m.reports_inactive()}</span>}
        <span className="text-sm text-stone">{post.when}</span>
        {(post.state === 'review' || post.flags.length > 0) && <AgeChip age={post.age} />}
      </header>
      <div className="space-y-5 p-4">
        <div className="min-w-0 space-y-3">
          <LinkedText text={post.content} />
          {post.reason && <p className="notice">{post.reason}</p>}
          {post.state !== 'deleted' && (
            <a href={to(post.path)} className="tap-link font-semibold">
              {m.forum_desk_open()}
            </a>
          )}
          {post.state === 'review' && <p className="text-sm text-stone">{m.forum_desk_too_quick()}</p>}
          <Remarks remarks={post.flags.map((flag) => ({ ...flag, reason: flagTexts[flag.reason]() }))} />
        </div>
        {post.isOwn ? <p className="text-stone">{m.forum_desk_own()}</p> : <Decision post={post} action={action} refused={refused} />}
      </div>
    </article>
  )
}

function Decision({ post, action, refused }: WaitingProps) {
  const hidden = (
    <>
      <CsrfField />
      <HiddenFields post={post.key} seen={post.seen} />
    </>
  )
  const canHide = post.state === 'shown' || post.state === 'review'
  const comesBack = post.state === 'review' || post.state === 'hidden'
  return (
    <div className="space-y-5">
      {(comesBack || post.flags.length > 0) && (
        <form method="post" action={action}>
          {hidden}
          <button type="submit" name="act" value="leave" className="button-plain">
            {comesBack ? m.forum_desk_show() : m.forum_desk_leave()}
          </button>
        </form>
      )}
      {canHide && (
        <form method="post" action={action} className="space-y-2">
          {hidden}
          <ReadyAnswers field={`${post.key}-reason`} answers={post.answers} desk="forum" />
          <TextAreaField {...fieldsOf(post.key, refused)('reason')} rows={3} maxLength={1000} label={m.forum_desk_reason()} />
          <button type="submit" name="act" value="hide" className="button-danger">
            {post.kind === 'reply' ? m.forum_desk_hide_reply() : m.forum_desk_hide_thread({ replies: post.replies })}
          </button>
        </form>
      )}
      {refused &&
        refused.errors.reason === undefined &&
        (canHide ? <FormFailure {...refused} /> : <LostDecision refused={refused} gone={m.forum_desk_gone()} />)}
    </div>
  )
}
