import { redirect } from 'react-router'
import { z } from 'zod'
import type { ReactNode } from 'react'
import type { Ctx } from '#src/kit/context.ts'
import { localized } from '#src/kit/text/locale.ts'
import { formHeaders, formLoader, pageAction, textOf, type FormRefusal } from '#src/kit/http/page.server.ts'
import { notFound } from '#src/kit/base/problem.ts'
import { plainMeta } from '#src/kit/http/page-meta.ts'
import { getSellerLocale } from '#src/verification/to-verify.server.ts'
import { failComment, failReasons } from '#src/verification/verification-phrases.ts'
import { m } from '#src/paraglide/messages.js'
import { parseInput } from '#src/kit/parse-input.ts'
import { FormFailure } from '#src/ui/form-failure.tsx'
import { AgeChip } from '#src/ui/age-chip.tsx'
import { ReadyAnswers } from '#src/ready-answers/ready-answers.tsx'
import { tableAddress } from '#src/ui/desk-query.ts'
import { DeskQueue, LostDecision, type CaseForm } from '#src/ui/desk-beside.tsx'
import { SearchHead } from '#src/ui/desk-filter.tsx'
import { DeskTable, TablePages, TableViews, type Column } from '#src/ui/desk-table.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { Picture } from '#src/ui/picture.tsx'
import { HiddenFields, PostForm } from '#src/ui/post-form.tsx'
import { ReasonFields } from '#src/ui/reason-fields.tsx'
import { TextAreaField } from '#src/ui/text-area-field.tsx'
import { UndoableDone } from '#src/ui/undo-button.tsx'
import { reportNote } from './reports-schemas.ts'
import { leaveReported, takeDown, undoTakeDown, type ReportSubject } from './reports.server.ts'
import { readReports, subjectIn } from './reports-view.server.ts'
import { Remarks } from './remarks.tsx'
import { reasonTexts } from './report-reasons.ts'
import type { Route } from './+types/reports-page'

export const loader = formLoader(readReports)

export const action = pageAction('reports', async (ctx, { form }) => {
  const subject = subjectIn(textOf(form, 'subject'))
  const { act } = parseInput(z.object({ act: z.enum(['leave', 'take-down', 'undo']) }), { act: textOf(form, 'act') })
  throw redirect(localized(`/admin/reports?${await acts[act](ctx, subject, form)}`, ctx.locale))
})

/** The forms of the page by name. Each returns the query of the page that follows. */
const acts = {
  leave: async (ctx: Ctx, subject: ReportSubject, form: FormData) => {
    await leaveReported(ctx, subject, decisionIn(form, textOf(form, 'note')))
    return 'done=left'
  },
  'take-down': async (ctx: Ctx, subject: ReportSubject, form: FormData) => {
    const id = listingIn(subject)
    // The seller reads the reason in their language.
    const locale = await getSellerLocale(ctx, id)
    await takeDown(ctx, id, decisionIn(form, failComment(textOf(form, 'reason'), textOf(form, 'note'), locale)))
    return `done=down&of=product-${id}`
  },
  undo: async (ctx: Ctx, subject: ReportSubject) => {
    await undoTakeDown(ctx, listingIn(subject))
    return 'done=undone'
  },
}

const decisionIn = (form: FormData, note: string) => Object.assign(parseInput(reportNote, { note }), { seen: textOf(form, 'seen') })

function listingIn(subject: ReportSubject): number {
  if ('listingId' in subject) return subject.listingId
  throw notFound()
}

export const headers = formHeaders

export const meta = plainMeta<Route.MetaArgs>(() => ({ title: m.reports_title(), description: m.reports_lead() }))

type ReportsData = Route.ComponentProps['loaderData']
type Page = ReportsData & { refused: FormRefusal | undefined }
type Row = ReportsData['subjects'][number]
type Case = NonNullable<ReportsData['one']>

const stateTexts = {
  draft: m.own_state_draft,
  pending: m.own_state_pending,
  failed: m.own_state_failed,
  passed: m.own_state_passed,
  withdrawn: m.own_state_withdrawn,
  sold: m.own_state_sold,
}

const doneTexts = { left: m.reports_done_left, down: m.reports_done_down, undone: m.verify_undone }

/** The reported subjects, the oldest first, and beside them the open case. */
export default function ReportsPage({ loaderData, actionData }: Route.ComponentProps) {
  const to = useLocalPath()
  const { one, waiting, done, isHistory, total, isGone, of, text } = loaderData
  const refused = actionData?.refused
  const isOfCase = refused !== undefined && refused.typed.act !== 'undo' && one?.key === refused.typed.subject
  return (
    <div className="space-y-2">
      <SearchHead
        title={m.reports_title()}
        path="/admin/reports"
        label={m.reports_search()}
        text={text}
        choices={{ state: isHistory ? 'closed' : undefined }}
      />
      {done && !refused && (
        <UndoableDone
          id="reports-undo"
          text={doneTexts[done]()}
          isUndoable={done === 'down'}
          action={to('/admin/reports')}
          fields={{ act: 'undo', subject: of }}
        />
      )}
      {refused && !isOfCase && <LostDecision refused={{ ...refused, typed: { ...refused.typed, reason: '' } }} gone={m.reports_gone()} />}
      {!refused && isGone && <FormFailure detail={m.reports_gone()} />}
      <TableViews
        views={[
          { name: m.desk_open_cases(), address: to(tableAddress('/admin/reports', { q: text })), isHere: !isHistory, count: waiting },
          { name: m.desk_decided(), address: to(closedPath(text, 1)), isHere: isHistory, count: total },
        ]}
      />
      {isHistory ? <Closed {...loaderData} /> : <Open {...loaderData} refused={isOfCase ? refused : undefined} />}
    </div>
  )
}

function Closed({ text, closed, page, perPage, total }: ReportsData) {
  const to = useLocalPath()
  if (text && total === 0) return <p className="panel p-4">{m.desk_none_found()}</p>
  return (
    <>
      <DeskTable
        caption={m.desk_decided()}
        columns={closedColumns()}
        rows={closed}
        keyOf={({ listingId, sellerId, at }) => `${listingId}-${sellerId}-${at}`}
        addressOf={({ listingId, sellerId }) => to(listingId ? `/product/${listingId}?tab=verification` : `/seller/${sellerId}`)}
      />
      <TablePages page={page} perPage={perPage} count={total} pageAddress={(number) => to(closedPath(text, number))} />
    </>
  )
}

const closedPath = (q: string, page: number) => tableAddress('/admin/reports', { q, state: 'closed', page: page > 1 ? page : null })

const Open = ({ text, subjects, one, isChosen, waiting, page, perPage, refused }: Page) => (
  <DeskQueue
    caption={m.reports_title()}
    columns={openColumns()}
    rows={subjects}
    keyOf={({ key }) => key}
    none={text ? m.desk_none_found() : m.reports_none()}
    path="/admin/reports"
    choices={{ q: text }}
    parameter="subject"
    pages={{ page, perPage, count: waiting }}
    open={one && { key: one.key, label: titleOf(one), isChosen }}
    refused={refused}
  >
    {(form) => one && <Reported key={one.key} subject={one} {...form} />}
  </DeskQueue>
)

const titleOf = ({ listing, seller }: Row) => (listing ? `${listing.code} · ${listing.name}` : seller.name || m.profile_deleted_user())

const openColumns = (): Column<Row>[] => [
  { id: 'title', label: m.reports_column_subject(), width: 'md:w-1/3', cell: titleOf },
  {
    id: 'reasons',
    label: m.reports_column_reasons(),
    width: 'md:w-1/3',
    onCard: 'bare',
    cell: ({ reasons }) => reasons.map((reason) => reasonTexts[reason]()).join(' · '),
  },
  { id: 'people', label: m.users_reports(), isNumber: true, cell: ({ people }) => people },
  { id: 'age', label: m.enquiry_desk_age(), onCard: 'bare', cell: ({ age }) => <AgeChip age={age} /> },
]

const closedColumns = (): Column<ReportsData['closed'][number]>[] => [
  { id: 'title', label: m.reports_column_subject(), width: 'md:w-1/3', cell: ({ title }) => title || m.profile_deleted_user() },
  {
    id: 'outcome',
    label: m.desk_decision(),
    onCard: 'bare',
    cell: ({ outcome }) => (outcome === 'left' ? m.timeline_left() : m.timeline_taken_down()),
  },
  { id: 'people', label: m.users_reports(), isNumber: true, cell: ({ people }) => people },
  { id: 'note', label: m.desk_note(), width: 'md:w-1/4', onCard: 'bare', cell: ({ note }) => note },
  { id: 'by', label: m.desk_decided_by(), onCard: 'bare', cell: ({ adminName }) => adminName },
  { id: 'at', label: m.desk_decided_at(), onCard: 'bare', cell: ({ at }) => at },
]

function Reported({ subject, action, refused }: CaseForm & { subject: Case }) {
  const to = useLocalPath()
  const { listing, seller, key } = subject
  const canFall = listing && (listing.state === 'passed' || listing.state === 'pending' || listing.state === 'sold')
  const mine = (act: string) => (refused?.typed.act === act ? refused : undefined)
  const formOf = (act: 'leave' | 'take-down') => ({ act, subject: key, seen: subject.seen, action, refused: mine(act) })
  return (
    <article aria-labelledby={`${key}-title`} className="panel overflow-hidden">
      <header className="panel-title space-y-1">
        <h2 id={`${key}-title`} className="text-lg">
          <a href={to(listing ? `/product/${listing.id}?tab=verification` : `/seller/${seller.id}`)} className="link inline-block py-1">
            {titleOf(subject)}
          </a>
        </h2>
        <p className="row gap-2 text-sm">
          <span className="chip bg-paper">{listing ? m.reports_of_listing() : m.reports_of_seller()}</span>
          {listing && <span className="chip bg-paper">{stateTexts[listing.state]()}</span>}
          <b>{subject.people === 1 ? m.reports_people_one() : m.reports_people({ count: subject.people })}</b>
          <span className="text-stone">{m.reports_since({ when: subject.since })}</span>
          <AgeChip age={subject.age} />
        </p>
      </header>
      <div className="space-y-5 p-4">
        {subject.animal && <Animal animal={subject.animal} name={titleOf(subject)} />}
        <Remarks remarks={subject.reports.map((report) => ({ ...report, reason: reasonTexts[report.reason]() }))} />
        <p>
          <a href={to(`/admin/users/${seller.id}`)} className="tap-link font-semibold">
            {m.reports_user()}
          </a>
          {!seller.isActive && <span className="chip-bad ml-2">{m.reports_inactive()}</span>}
        </p>
        <Decision submit={m.reports_leave()} {...formOf('leave')}>
          <ReadyAnswers field={`${key}-note`} answers={subject.leaveAnswers} desk="reports" />
          <TextAreaField
            id={`${key}-note`}
            name="note"
            rows={2}
            maxLength={1000}
            label={m.reports_note()}
            defaultValue={mine('leave')?.typed.note}
            error={mine('leave')?.errors.note}
          />
        </Decision>
        {listing && canFall && (
          <Decision submit={m.reports_take_down({ code: listing.code })} {...formOf('take-down')}>
            <ReasonFields
              id={`${key}-fall`}
              label={m.reports_reason()}
              reasons={failReasons()}
              own={{ name: 'note', maxLength: 1000 }}
              refused={mine('take-down')}
            />
          </Decision>
        )}
      </div>
    </article>
  )
}

/** The reported animal, so that the admin can decide here. */
function Animal({ animal: { photos, facts }, name }: { animal: NonNullable<Case['animal']>; name: string }) {
  return (
    <figure className="space-y-2">
      <div className="flex h-44 gap-2 overflow-x-auto" tabIndex={photos.length > 1 ? 0 : undefined}>
        {photos.map(({ key, width, height }, n) => (
          <Picture
            key={key}
            mediaKey={key}
            alt={n === 0 ? name : ''}
            sizes="235px"
            width={width}
            height={height}
            className="h-full w-auto shrink-0 rounded-control object-cover"
          />
        ))}
      </div>
      <figcaption className="font-semibold">{facts}</figcaption>
    </figure>
  )
}

interface DecisionProps extends CaseForm {
  act: 'leave' | 'take-down'
  submit: string
  subject: string
  seen: string
  children: ReactNode
}

function Decision({ act, submit, subject, seen, action, refused, children }: DecisionProps) {
  return (
    <PostForm reloadDocument action={action} className="space-y-2">
      <HiddenFields act={act} subject={subject} seen={seen} />
      {children}
      {refused && refused.errors.note === undefined && <FormFailure {...refused} />}
      <button type="submit" className={act === 'leave' ? 'button-plain' : 'button-danger'}>
        {submit}
      </button>
    </PostForm>
  )
}
