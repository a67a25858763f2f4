import { FormFailure } from '#src/accounts/form-failure.tsx'
import type { FormRefusal } from '#src/kit/http/page.server.ts'
import { reasonTexts } from './report-reasons.ts'
import { m } from '#src/paraglide/messages.js'
import { describedBy, FieldError } from '#src/ui/field.tsx'
import { useLocalPath } from '#src/ui/language.ts'
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
    <div className="mx-auto max-w-4xl space-y-4 py-2">
      <h1 className="text-2xl">{m.reports_title()}</h1>
      <p className="text-stone">{m.reports_lead()}</p>
      {done && !refused && (
        <p role="status" className="rounded-control bg-leaf-soft p-3 font-semibold">
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
      <header className="space-y-1 border-b border-line bg-husk-dark px-4 py-3">
        <h2 id={`${key}-title`} className="text-lg">
          <a href={to(listing ? `/product/${listing.id}?tab=verification` : `/seller/${seller.id}`)} className="link inline-block py-1">
            {listing ? `${listing.code} · ${listing.name}` : seller.name || m.profile_deleted_user()}
          </a>
        </h2>
        <p className="flex flex-wrap items-center gap-2 text-sm">
          <span className="chip bg-paper">{listing ? m.reports_of_listing() : m.reports_of_seller()}</span>
          {listing && <span className="chip bg-paper">{stateTexts[listing.state]()}</span>}
          <b>{subject.people === 1 ? m.reports_people_one() : m.reports_people({ count: subject.people })}</b>
          <span className="text-stone">{m.reports_since({ when: subject.since })}</span>
        </p>
      </header>
      <div className="grid gap-4 p-4 md:grid-cols-2">
        <div className="space-y-3">
          <ul className="space-y-2">
            {subject.reports.map((report) => (
              <li key={report.reporter.id} className="rounded-control bg-husk-dark px-3 py-2">
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
            <a href={to(`/admin/users/${seller.id}`)} className="link inline-flex min-h-11 items-center font-semibold">
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
  const id = `${subject.key}-${act}`
  return (
    <form method="post" action={to('/admin/reports')} className="space-y-2">
      <input type="hidden" name="csrf" value={csrf} />
      <input type="hidden" name="act" value={act} />
      <input type="hidden" name="subject" value={subject.key} />
      <label htmlFor={id} className="label">
        {label}
      </label>
      <textarea
        id={id}
        name="note"
        rows={2}
        maxLength={1000}
        defaultValue={mine?.typed.note}
        aria-invalid={mine?.errors.note !== undefined || undefined}
        aria-describedby={describedBy(id, false, mine?.errors.note)}
        className="field aria-invalid:border-2 aria-invalid:border-brick"
      />
      <FieldError id={id} error={mine?.errors.note} />
      <button
        type="submit"
        className={act === 'leave' ? 'button-plain' : 'button border border-brick bg-paper text-brick hover:bg-brick-soft'}
      >
        {submit}
      </button>
    </form>
  )
}
