import { PhoneLink } from '#src/accounts/phone-link.tsx'
import { FormFailure } from '#src/ui/form-failure.tsx'
import { sendOnce } from '#src/ui/send-once.ts'
import { topicTexts } from './ticket-topics.ts'
import type { FormRefusal } from '#src/kit/http/page.server.ts'
import { m } from '#src/paraglide/messages.js'
import { useLocalPath } from '#src/ui/language.ts'
import { TextAreaField } from '#src/ui/text-area-field.tsx'
import type { TicketsData } from './tickets-page.tsx'

type Page = TicketsData & { refused: FormRefusal | undefined }
type Ticket = TicketsData['tickets'][number]

export function TicketsView({ tickets, waiting, isClosed, done, csrf, refused }: Page) {
  const to = useLocalPath()
  const isShown = tickets.some(({ id }) => String(id) === refused?.typed.id)
  const tabs = [
    { path: '/admin/tickets', label: `${m.ticket_show_open()} (${waiting})`, isHere: !isClosed },
    { path: '/admin/tickets?state=closed', label: m.ticket_show_closed(), isHere: isClosed },
  ]
  return (
    <div className="page-column max-w-4xl">
      <h1 className="text-2xl">{m.ticket_queue()}</h1>
      <p className="text-stone">{m.ticket_queue_lead()}</p>
      {done && !refused && (
        <p role="status" className="done">
          {m.ticket_done({ number: done })}
        </p>
      )}
      {refused && !isShown && (
        <FormFailure
          detail={refused.code === 'NOT_FOUND' ? m.ticket_gone() : refused.detail}
          retryAfterSeconds={refused.retryAfterSeconds}
        />
      )}
      <nav aria-label={m.ticket_queue()} className="flex flex-wrap gap-2">
        {tabs.map(({ path, label, isHere }) => (
          <a
            key={path}
            href={to(path)}
            aria-current={isHere ? 'page' : undefined}
            className="button-plain aria-[current=page]:bg-leaf-soft"
          >
            {label}
          </a>
        ))}
      </nav>
      {tickets.length === 0 ? (
        <p className="panel p-4">{isClosed ? m.ticket_queue_none_closed() : m.ticket_queue_none()}</p>
      ) : (
        <ol className="space-y-4">
          {tickets.map((ticket) => (
            <li key={ticket.id}>
              <TicketCard ticket={ticket} csrf={csrf} refused={refused?.typed.id === String(ticket.id) ? refused : undefined} />
            </li>
          ))}
        </ol>
      )}
    </div>
  )
}

function TicketCard({ ticket, csrf, refused }: { ticket: Ticket; csrf: string; refused: FormRefusal | undefined }) {
  const to = useLocalPath()
  return (
    <article aria-labelledby={`ticket-${ticket.id}`} className="panel overflow-hidden">
      <header className="row panel-title gap-x-3 gap-y-1">
        <h2 id={`ticket-${ticket.id}`} className="text-lg">
          {ticket.number}
        </h2>
        <span className="chip bg-paper">{topicTexts[ticket.topic]()}</span>
        <span className="text-sm text-stone">{ticket.since}</span>
      </header>
      <div className="two-columns">
        <div className="space-y-2">
          <p className="break-words whitespace-pre-line">{ticket.content}</p>
          <p className="text-sm">
            {ticket.userId === null ? (
              <b>{ticket.name}</b>
            ) : (
              <a href={to(`/admin/users/${ticket.userId}`)} className="link font-semibold">
                {ticket.name}
              </a>
            )}{' '}
            · <PhoneLink phone={ticket.phone} className="tap-link font-semibold" />
          </p>
        </div>
        {ticket.closed ? (
          <div className="rounded-control bg-leaf-soft p-3">
            <p className="break-words whitespace-pre-line">{ticket.closed.note}</p>
            <p className="mt-1 text-sm text-stone">{m.ticket_closed_by({ when: ticket.closed.at, name: ticket.closed.by })}</p>
          </div>
        ) : (
          <CloseForm ticket={ticket} csrf={csrf} refused={refused} />
        )}
      </div>
    </article>
  )
}

function CloseForm({ ticket, csrf, refused }: { ticket: Ticket; csrf: string; refused: FormRefusal | undefined }) {
  const to = useLocalPath()
  const error = refused?.errors.note
  return (
    <form method="post" action={to('/admin/tickets')} noValidate onSubmit={sendOnce} className="space-y-2">
      <input type="hidden" name="csrf" value={csrf} />
      <input type="hidden" name="id" value={ticket.id} />
      <TextAreaField
        id={`note-${ticket.id}`}
        name="note"
        rows={3}
        maxLength={300}
        label={m.ticket_note()}
        hint={ticket.userId === null ? m.ticket_note_unsent() : m.ticket_note_hint({ name: ticket.name })}
        defaultValue={refused?.typed.note}
        error={error}
      />
      {refused && error === undefined && <FormFailure {...refused} />}
      <button type="submit" className="button-primary">
        {m.ticket_close()}
      </button>
    </form>
  )
}
