import { FormFailure } from '#src/ui/form-failure.tsx'
import type { FormRefusal } from '#src/kit/http/page.server.ts'
import { reasonTexts } from './report-reasons.ts'
import { m } from '#src/paraglide/messages.js'
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
export function ReportsView({ subjects, waiting, done, csrf, refused }: Page) {
  const isShown = subjects.some(({ key }) => key === refused?.typed.subject)
  return (
    <div className="page-column max-w-4xl">
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
      {subjects.length === 0 ? (
        <p className="panel p-4">{m.reports_none()}</p>
      ) : (
        <>
          <p className="font-semibold">{m.reports_waiting({ count: waiting })}</p>
          <ol className="space-y-4">
            {subjects.map((subject) => (
              <li key={subject.key}>
                <Reported subject={subject} csrf={csrf} refused={refused?.typed.subject === subject.key ? refused : undefined} />
              </li>
            ))}
          </ol>
        </>
      )}
    </div>
  )
}

function Reported({ subject, csrf, refused }: { subject: Subject; csrf: string; refused: FormRefusal | undefined }) {
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
        </p>
      </header>
      <div className="two-columns">
        <div className="space-y-3">
          <ul className="space-y-2">
            {subject.reports.map((report) => (
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
          <p>
            <a href={to(`/admin/users/${seller.id}`)} className="tap-link font-semibold">
              {m.reports_user()}
            </a>
            {!seller.isActive && <span className="chip ml-2 bg-brick-soft text-brick">{m.reports_inactive()}</span>}
          </p>
        </div>
        <div className="space-y-5">
          <Decision act="leave" label={m.reports_note()} submit={m.reports_leave()} {...{ subject, csrf, refused }} />
          {canFall && (
            <Decision act="take-down" label={m.reports_reason()} submit={m.reports_take_down()} {...{ subject, csrf, refused }} />
          )}
        </div>
      </div>
    </article>
  )
}

interface DecisionProps {
  act: 'leave' | 'take-down'
  label: string
  submit: string
  subject: Subject
  csrf: string
  refused: FormRefusal | undefined
}

function Decision({ act, label, submit, subject, csrf, refused }: DecisionProps) {
  const to = useLocalPath()
  const mine = refused?.typed.act === act ? refused : undefined
  return (
    <form method="post" action={to('/admin/reports')} className="space-y-2">
      <input type="hidden" name="csrf" value={csrf} />
      <input type="hidden" name="act" value={act} />
      <input type="hidden" name="subject" value={subject.key} />
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
