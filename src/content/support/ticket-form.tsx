import { Form } from 'react-router'
import { FormFailure } from '#src/ui/form-failure.tsx'
import { useFocusOnError } from '#src/ui/use-focus-on-error.ts'
import { PhoneField } from '#src/accounts/phone-field.tsx'
import { RESUMED_FIELD } from '#src/kit/http/resumed-field.ts'
import type { FormRefusal } from '#src/kit/http/page.server.ts'
import { m } from '#src/paraglide/messages.js'
import { Field, fieldsOf } from '#src/ui/field.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { SelectField } from '#src/ui/select-field.tsx'
import { TextAreaField } from '#src/ui/text-area-field.tsx'
import type { SupportData } from './support-page.tsx'
import { AS_NOBODY, topicTexts } from './ticket-topics.ts'

interface TicketProps {
  page: SupportData
  refused: FormRefusal | undefined
}

/** The form, or the number of the ticket that it opened. */
export function TicketPart({ page, refused }: TicketProps) {
  const to = useLocalPath()
  const form = useFocusOnError(refused)
  if (page.sent && !refused) return <TicketSent number={page.sent} />
  const { errors = {}, typed = {} } = refused ?? {}
  const field = fieldsOf('ticket', refused)
  return (
    <section id="ticket" className="panel p-4 md:p-6">
      <h2 className="text-xl">{m.support_ticket()}</h2>
      <p className="mb-4 text-stone">{m.support_ticket_lead()}</p>
      <Form ref={form} method="post" action={to('/support#ticket')} noValidate className="grid gap-4">
        <input type="hidden" name="csrf" value={page.csrf} />
        <input type="hidden" name="key" value={page.key} />
        {refused && <FormFailure detail={failureText(refused)} />}
        {refused && !page.isMember && isLoginOver(refused) && <LoginOver />}
        <Field {...field('name', page.name)} autoComplete="name" maxLength={200} label={m.ticket_name()} />
        <PhoneField id="ticket-phone" defaultValue={typed.phone ?? page.phone} error={errors.phone} />
        <SelectField
          {...field('topic')}
          label={m.ticket_topic()}
          none={m.ticket_topic_choose()}
          options={Object.entries(topicTexts).map(([id, text]) => ({ id, name: text() }))}
        />
        <TextAreaField {...field('content')} rows={6} maxLength={2000} label={m.ticket_content()} hint={m.ticket_content_hint()} />
        <button type="submit" className="button-primary min-h-12 justify-self-start">
          {m.ticket_send()}
        </button>
      </Form>
    </section>
  )
}

function TicketSent({ number }: { number: string }) {
  const to = useLocalPath()
  return (
    <section id="ticket" className="panel space-y-3 p-4 md:p-6">
      <h2 className="text-xl">{m.support_ticket()}</h2>
      <div role="status" className="note p-4">
        <p className="text-lg font-semibold">{m.ticket_sent({ number })}</p>
        <p>{m.ticket_sent_more()}</p>
      </div>
      <a href={to('/support#ticket')} className="button-plain">
        {m.ticket_another()}
      </a>
    </section>
  )
}

/** The login expired meanwhile, or the form is outdated. */
const isLoginOver = ({ code }: FormRefusal) => code === 'AUTH_REQUIRED' || code === 'CSRF_REJECTED'

function failureText({ code, detail }: FormRefusal): string {
  if (code === 'RATE_LIMITED') return `${detail} ${m.ticket_limited()}`
  if (code === 'AUTH_REQUIRED') return m.ticket_login_over()
  return code === 'CSRF_REJECTED' ? m.resume_again() : detail || m.error_offline_text()
}

/** The login opens on another page, so that the text stays; or the person sends the form anonymously, with the same button. */
function LoginOver() {
  const to = useLocalPath()
  return (
    <>
      <input type="hidden" name={RESUMED_FIELD} value="1" />
      <input type="hidden" name={AS_NOBODY} value="1" />
      <a href={to('/login')} target="_blank" rel="noopener" className="button-plain justify-self-start">
        {m.resume_log_in()}
      </a>
    </>
  )
}

export function OwnTickets({ own }: Pick<SupportData, 'own'>) {
  return (
    <section className="panel overflow-hidden">
      <h2 className="panel-title text-lg">{m.ticket_own()}</h2>
      <ul className="divide-y divide-line">
        {own.map(({ number, topic, content, on, note }) => (
          <li key={number} className="space-y-1 px-4 py-3">
            <p className="row gap-2">
              <b>{number}</b>
              <span className="chip bg-husk-dark">{note === null ? m.ticket_open() : m.ticket_closed()}</span>
              <span className="text-sm text-stone">
                {topicTexts[topic]()} · {on}
              </span>
            </p>
            <p className="line-clamp-3 break-words whitespace-pre-line">{content}</p>
            {note !== null && <p className="note break-words whitespace-pre-line">{note}</p>}
          </li>
        ))}
      </ul>
    </section>
  )
}
