import { PhoneLink } from '#src/accounts/phone-link.tsx'
import { FormFailure } from '#src/ui/form-failure.tsx'
import { sendOnce } from '#src/ui/send-once.ts'
import { topicTexts } from './ticket-topics.ts'
import type { FormRefusal } from '#src/kit/http/page.server.ts'
import { m } from '#src/paraglide/messages.js'
import { AgeChip } from '#src/ui/age-chip.tsx'
import { CannedAnswers } from '#src/ui/canned-answers.tsx'
import { tableAddress } from '#src/ui/desk-query.ts'
import { DeskTable, TablePages, TableViews, type Column } from '#src/ui/desk-table.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { TextAreaField } from '#src/ui/text-area-field.tsx'
import type { TicketsData } from './tickets-page.tsx'

type Page = TicketsData & { refused: FormRefusal | undefined }
type Ticket = TicketsData['tickets'][number]

export function TicketsView(data: Page) {
  const to = useLocalPath()
  const { tickets, waiting, isClosed, isOne, done, csrf, refused, page } = data
  const isShown = tickets.some(({ id }) => String(id) === refused?.typed.id)
  const closedPath = (number: number) => to(tableAddress('/admin/tickets', { state: 'closed', page: number > 1 ? number : null }))
  const views = [
    { address: to('/admin/tickets'), name: m.ticket_show_open(), isHere: !isClosed && !isOne, count: waiting },
    { address: closedPath(1), name: m.ticket_show_closed(), isHere: isClosed && !isOne, count: data.closed },
  ]
  return (
    <div className="space-y-4 py-2">
      <h1 className="text-2xl">{m.ticket_queue()}</h1>
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
      <TableViews views={views} />
      {tickets.length === 0 ? (
        <p className="panel p-4">{isClosed ? m.ticket_queue_none_closed() : m.ticket_queue_none()}</p>
      ) : isClosed && !isOne ? (
        <>
          <DeskTable
            caption={m.ticket_show_closed()}
            columns={closedColumns()}
            rows={tickets}
            keyOf={({ id }) => id}
            addressOf={({ id }) => to(`/admin/tickets?ticket=${id}`)}
          />
          <TablePages page={page} perPage={data.perPage} count={data.closed} pageAddress={closedPath} />
        </>
      ) : (
        <ol className="max-w-5xl space-y-4">
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

const closedColumns = (): Column<Ticket>[] => [
  { id: 'number', label: m.ticket_column_number(), cell: ({ number }) => number },
  { id: 'topic', label: m.ticket_column_topic(), onCard: 'bare', cell: ({ topic }) => topicTexts[topic]() },
  { id: 'name', label: m.profile_name(), onCard: 'bare', cell: ({ name }) => name },
  { id: 'content', label: m.ticket_column_asked(), onCard: 'never', cell: ({ content }) => <Short text={content} /> },
  { id: 'answer', label: m.ticket_column_answer(), onCard: 'bare', cell: ({ closed }) => <Short text={closed?.note ?? ''} /> },
  { id: 'by', label: m.desk_decided_by(), onCard: 'bare', cell: ({ closed }) => closed?.by },
  { id: 'at', label: m.desk_decided_at(), onCard: 'bare', cell: ({ closed }) => closed?.at },
]

const Short = ({ text }: { text: string }) => <span className="line-clamp-2 max-w-72 break-words">{text}</span>

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
        {!ticket.closed && <AgeChip age={ticket.age} />}
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
      <CannedAnswers field={`note-${ticket.id}`} answers={ticket.answers} />
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
