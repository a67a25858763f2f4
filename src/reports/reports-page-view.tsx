import { FormFailure } from '#src/ui/form-failure.tsx'
import type { FormRefusal } from '#src/kit/http/page.server.ts'
import { reasonTexts } from './report-reasons.ts'
import { m } from '#src/paraglide/messages.js'
import type { CannedAnswer } from '#src/kit/text/canned-answers.ts'
import { AgeChip } from '#src/ui/age-chip.tsx'
import { CannedAnswers } from '#src/ui/canned-answers.tsx'
import { tableAddress } from '#src/ui/desk-query.ts'
import { DeskTable, TablePages, TableViews, type Column } from '#src/ui/desk-table.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { TextAreaField } from '#src/ui/text-area-field.tsx'
import type { ReportsData } from './reports-page.tsx'

type Page = ReportsData & { refused: FormRefusal | undefined }
type Subject = ReportsData['subjects'][number]

const stateTexts = {
  draft: m.own_state_draft,
  pending: m.own_state_pending,
  failed: m.own_state_failed,
  passed: m.own_state_passed,
  withdrawn: m.own_state_withdrawn,
  sold: m.own_state_sold,
}

/** What people say is wrong, the oldest first. */
export function ReportsView(data: Page) {
  const to = useLocalPath()
  const { subjects, waiting, done, csrf, refused, isHistory, page, total } = data
  const closedPath = (number: number) => to(tableAddress('/admin/reports', { state: 'closed', page: number > 1 ? number : null }))
  const isShown = subjects.some(({ key }) => key === refused?.typed.subject)
  return (
    <div className="space-y-4 py-2">
      <h1 className="text-2xl">{m.reports_title()}</h1>
      <p className="text-stone">{m.reports_lead()}</p>
      {done && !refused && (
        <p role="status" className="done">
          {done === 'left' ? m.reports_done_left() : m.reports_done_down()}
        </p>
      )}
      {refused && (
        <FormFailure
          detail={refused.code === 'NOT_FOUND' && !isShown ? m.reports_gone() : refused.detail}
          retryAfterSeconds={refused.retryAfterSeconds}
        />
      )}
      <TableViews
        views={[
          { name: m.desk_open_cases(), address: to('/admin/reports'), isHere: !isHistory, count: waiting },
          { name: m.desk_decided(), address: closedPath(1), isHere: isHistory, count: total },
        ]}
      />
      {isHistory ? (
        <>
          <DeskTable
            caption={m.desk_decided()}
            columns={closedColumns()}
            rows={data.closed}
            keyOf={({ listingId, sellerId, at }) => `${listingId}-${sellerId}-${at}`}
            addressOf={({ listingId, sellerId }) => to(listingId ? `/product/${listingId}?tab=verification` : `/seller/${sellerId}`)}
          />
          <TablePages page={page} perPage={data.perPage} count={total} pageAddress={closedPath} />
        </>
      ) : subjects.length === 0 ? (
        <p className="panel p-4">{m.reports_none()}</p>
      ) : (
        <>
          <p className="font-semibold">{m.reports_waiting({ count: waiting })}</p>
          <ol className="max-w-5xl space-y-4">
            {subjects.map((subject) => (
              <li key={subject.key}>
                <Reported
                  subject={subject}
                  leaveAnswers={data.leaveAnswers}
                  csrf={csrf}
                  refused={refused?.typed.subject === subject.key ? refused : undefined}
                />
              </li>
            ))}
          </ol>
        </>
      )}
    </div>
  )
}

const closedColumns = (): Column<ReportsData['closed'][number]>[] => [
  { id: 'title', label: m.reports_column_subject(), cell: ({ title }) => title || m.profile_deleted_user() },
  {
    id: 'outcome',
    label: m.desk_decision(),
    onCard: 'bare',
    cell: ({ outcome }) => (outcome === 'left' ? m.timeline_left() : m.timeline_taken_down()),
  },
  { id: 'people', label: m.users_reports(), isNumber: true, cell: ({ people }) => people },
  { id: 'note', label: m.desk_note(), onCard: 'bare', cell: ({ note }) => <span className="break-words">{note}</span> },
  { id: 'by', label: m.desk_decided_by(), onCard: 'bare', cell: ({ adminName }) => adminName },
  { id: 'at', label: m.desk_decided_at(), onCard: 'bare', cell: ({ at }) => at },
]

interface ReportedProps {
  subject: Subject
  leaveAnswers: CannedAnswer[]
  csrf: string
  refused: FormRefusal | undefined
}

function Reported({ subject, leaveAnswers, csrf, refused }: ReportedProps) {
  const to = useLocalPath()
  const { listing, seller, key } = subject
  const canFall = listing && (listing.state === 'passed' || listing.state === 'pending' || listing.state === 'sold')
  return (
    <article aria-labelledby={`${key}-title`} className="panel overflow-hidden">
      <header className="panel-title space-y-1">
        <h2 id={`${key}-title`} className="text-lg">
          <a href={to(listing ? `/product/${listing.id}?tab=verification` : `/seller/${seller.id}`)} className="link inline-block py-1">
            {listing ? `${listing.code} · ${listing.name}` : seller.name || m.profile_deleted_user()}
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
      <div className="two-columns">
        <div className="space-y-3">
          <Said reports={subject.reports} />
          <p>
            <a href={to(`/admin/users/${seller.id}`)} className="tap-link font-semibold">
              {m.reports_user()}
            </a>
            {!seller.isActive && <span className="chip ml-2 bg-brick-soft text-brick">{m.reports_inactive()}</span>}
          </p>
        </div>
        <div className="space-y-5">
          <Decision
            act="leave"
            label={m.reports_note()}
            submit={m.reports_leave()}
            answers={leaveAnswers}
            {...{ subject, csrf, refused }}
          />
          {canFall && (
            <Decision
              act="take-down"
              label={m.reports_reason()}
              submit={m.reports_take_down()}
              answers={subject.answers}
              {...{ subject, csrf, refused }}
            />
          )}
        </div>
      </div>
    </article>
  )
}

/** What people say is wrong with it. */
function Said({ reports }: Pick<Subject, 'reports'>) {
  const to = useLocalPath()
  return (
    <ul className="space-y-2">
      {reports.map((report) => (
        <li key={report.reporter.id} className="remark">
          <b>{reasonTexts[report.reason]()}</b>
          {report.comment && <p className="whitespace-pre-line">{report.comment}</p>}
          <p className="text-sm text-stone">
            {m.reports_by()}:{' '}
            <a href={to(`/admin/users/${report.reporter.id}`)} className="link">
              {report.reporter.name || m.profile_deleted_user()}
            </a>{' '}
            · {report.when}
          </p>
        </li>
      ))}
    </ul>
  )
}

interface DecisionProps {
  act: 'leave' | 'take-down'
  label: string
  submit: string
  answers: CannedAnswer[]
  subject: Subject
  csrf: string
  refused: FormRefusal | undefined
}

function Decision({ act, label, submit, answers, subject, csrf, refused }: DecisionProps) {
  const to = useLocalPath()
  const mine = refused?.typed.act === act ? refused : undefined
  return (
    <form method="post" action={to('/admin/reports')} className="space-y-2">
      <input type="hidden" name="csrf" value={csrf} />
      <input type="hidden" name="act" value={act} />
      <input type="hidden" name="subject" value={subject.key} />
      <CannedAnswers field={`${subject.key}-${act}`} answers={answers} />
      <TextAreaField
        id={`${subject.key}-${act}`}
        name="note"
        rows={2}
        maxLength={1000}
        label={label}
        defaultValue={mine?.typed.note}
        error={mine?.errors.note}
      />
      <button type="submit" className={act === 'leave' ? 'button-plain' : 'button-danger'}>
        {submit}
      </button>
    </form>
  )
}
