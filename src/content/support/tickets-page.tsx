import { redirect } from 'react-router'
import { phoneFor } from '#src/accounts/policy.ts'
import type { Ctx } from '#src/kit/context.ts'
import { plainMeta } from '#src/kit/http/page-meta.ts'
import { ageOf } from '#src/kit/records/waiting.ts'
import { readSettings } from '#src/kit/records/settings.server.ts'
import { answersFor } from '#src/ready-answers/queries.server.ts'
import { readPageNumber, tableAddress } from '#src/ui/desk-query.ts'
import { formatDaysAgo, formatMoment } from '#src/kit/time-money/dates.ts'
import { searchText } from '#src/kit/text/plain-text.ts'
import { localized } from '#src/kit/text/locale.ts'
import { formHeaders, formLoader, pageAction, textOf, type FormRefusal } from '#src/kit/http/page.server.ts'
import { notFound } from '#src/kit/base/problem.ts'
import { parseId } from '#src/kit/ids.ts'
import { m } from '#src/paraglide/messages.js'
import { parseInput } from '#src/kit/parse-input.ts'
import { PhoneLink } from '#src/accounts/phone-link.tsx'
import { FormDone, FormFailure } from '#src/ui/form-failure.tsx'
import { Link } from '#src/ui/link.tsx'
import { sendOnce } from '#src/ui/send-once.ts'
import { AgeChip } from '#src/ui/age-chip.tsx'
import { ReadyAnswers } from '#src/ready-answers/ready-answers.tsx'
import { DeskQueue, LostDecision, type CaseForm } from '#src/ui/desk-beside.tsx'
import { SearchHead } from '#src/ui/desk-filter.tsx'
import { TableViews, type Column } from '#src/ui/desk-table.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { PostForm } from '#src/ui/post-form.tsx'
import { TextAreaField } from '#src/ui/text-area-field.tsx'
import { readTicketNumber, ticketNote, ticketNumber } from './ticket-schemas.ts'
import { closeTicket, getTicket, listTickets, TICKETS_PER_PAGE, type TicketRow } from './tickets.server.ts'
import { topicTexts } from './ticket-topics.ts'
import type { Route } from './+types/tickets-page'

export const loader = formLoader(async (ctx, { url }) => {
  const query = url.searchParams
  const isClosed = query.get('state') === 'closed'
  const page = readPageNumber(query.get('page'))
  const chosen = parseId(query.get('ticket') ?? undefined)
  const text = searchText(query.get('q') ?? '', 80)
  const { tickets, waiting, closed } = await listTickets(ctx, { isClosed, page, text })
  const one = chosen === null ? (isClosed ? undefined : tickets[0]) : await getTicket(ctx, chosen)
  const target = (await readSettings(ctx)).deskTargets.tickets
  return {
    text,
    isClosed,
    page,
    perPage: TICKETS_PER_PAGE,
    waiting,
    closed,
    tickets: tickets.map((ticket) => shownRow(ctx, ticket, target)),
    one: one ? await shownCase(ctx, one, target) : null,
    isChosen: chosen !== null,
    done: readTicketNumber(query.get('done')),
  }
})

const shownRow = (ctx: Ctx, { id, number, name, topic, content, createdAt, closed }: TicketRow, target: number) => ({
  id,
  number,
  name,
  topic,
  content,
  age: ageOf(createdAt, ctx.now, target),
  closed: closed && { ...closed, at: formatMoment(closed.at, ctx.locale) },
})

/** A ticket with everything that an admin needs for the answer. */
const shownCase = async (ctx: Ctx, ticket: TicketRow, target: number) => ({
  ...shownRow(ctx, ticket, target),
  userId: ticket.userId,
  phone: phoneFor(ctx.viewer, ticket.phone, ticket.userId),
  since: formatDaysAgo(ticket.createdAt, ctx.now, ctx.locale),
  answers: ticket.closed ? [] : await answersFor(ctx, 'tickets', ticket.locale),
})

export const action = pageAction('tickets', async (ctx, { form }): Promise<never> => {
  const id = parseId(textOf(form, 'id'))
  if (id === null) throw notFound()
  const { note } = parseInput(ticketNote, { note: textOf(form, 'note') })
  await closeTicket(ctx, id, note)
  throw redirect(localized(`/admin/tickets?done=${ticketNumber(id)}`, ctx.locale))
})

export const headers = formHeaders

export const meta = plainMeta<Route.MetaArgs>(() => ({ title: m.ticket_queue(), description: m.ticket_queue_lead() }))

type TicketsData = Route.ComponentProps['loaderData']
type Page = TicketsData & { refused: FormRefusal | undefined }
type Row = TicketsData['tickets'][number]
type Ticket = NonNullable<TicketsData['one']>

/** The queue of tickets, oldest first, and beside it the one to answer. */
export default function TicketsPage({ loaderData, actionData }: Route.ComponentProps) {
  const to = useLocalPath()
  const { one, isClosed, done, waiting, closed, text } = loaderData
  const refused = actionData?.refused
  const isOfCase = refused !== undefined && String(one?.id) === refused.typed.id
  const views = [
    { address: to(tableAddress('/admin/tickets', { q: text })), name: m.ticket_show_open(), isHere: !isClosed, count: waiting },
    {
      address: to(tableAddress('/admin/tickets', { q: text, state: 'closed' })),
      name: m.ticket_show_closed(),
      isHere: isClosed,
      count: closed,
    },
  ]
  return (
    <div className="space-y-2">
      <SearchHead
        title={m.ticket_queue()}
        path="/admin/tickets"
        label={m.ticket_search()}
        text={text}
        choices={{ state: isClosed ? 'closed' : undefined }}
      />
      {done && !refused && <FormDone>{m.ticket_done({ number: done })}</FormDone>}
      {refused && !isOfCase && <LostDecision refused={refused} gone={m.ticket_gone()} />}
      <TableViews views={views} />
      <Letters {...loaderData} refused={isOfCase ? refused : undefined} />
    </div>
  )
}

const Letters = ({ text, tickets, one, isClosed, isChosen, waiting, closed, page, perPage, refused }: Page) => (
  <DeskQueue
    caption={isClosed ? m.ticket_show_closed() : m.ticket_queue()}
    columns={isClosed ? closedColumns(one !== null) : openColumns()}
    rows={tickets}
    keyOf={({ id }) => id}
    none={text ? m.desk_none_found() : isClosed ? m.ticket_queue_none_closed() : m.ticket_queue_none()}
    path="/admin/tickets"
    choices={{ q: text, state: isClosed ? 'closed' : null }}
    parameter="ticket"
    pages={{ page, perPage, count: isClosed ? closed : waiting }}
    open={one && { key: one.id, label: one.number, isChosen }}
    canClose={isClosed}
    refused={refused}
  >
    {(form) => one && <TicketCard key={one.id} ticket={one} {...form} />}
  </DeskQueue>
)

const subjectColumns = (): Column<Row>[] => [
  { id: 'number', label: m.ticket_column_number(), cell: ({ number }) => number },
  { id: 'topic', label: m.ticket_column_topic(), onCard: 'bare', cell: ({ topic }) => topicTexts[topic]() },
  { id: 'name', label: m.profile_name(), width: 'md:w-1/6', onCard: 'bare', cell: ({ name }) => name },
  { id: 'content', label: m.ticket_column_asked(), width: 'md:w-1/3', onCard: 'never', cell: ({ content }) => content },
]

const openColumns = (): Column<Row>[] => [
  ...subjectColumns(),
  { id: 'age', label: m.enquiry_desk_age(), onCard: 'bare', cell: ({ age }) => <AgeChip age={age} /> },
]

/** Beside an open ticket there is room only for the columns that tell the others apart. */
const closedColumns = (isNarrow: boolean): Column<Row>[] => [
  ...subjectColumns(),
  ...(isNarrow
    ? []
    : ([
        { id: 'answer', label: m.ticket_column_answer(), width: 'md:w-1/4', onCard: 'bare', cell: ({ closed }) => closed?.note },
        { id: 'by', label: m.desk_decided_by(), onCard: 'bare', cell: ({ closed }) => closed?.by },
      ] satisfies Column<Row>[])),
  { id: 'at', label: m.desk_decided_at(), onCard: 'bare', cell: ({ closed }) => closed?.at },
]

type CardProps = CaseForm & { ticket: Ticket }

function TicketCard({ ticket, action, refused }: CardProps) {
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
      <div className="space-y-4 p-4">
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
          <>
            <div className="note">
              <p className="break-words whitespace-pre-line">{ticket.closed.note}</p>
              <p className="mt-1 text-sm text-stone">{m.ticket_closed_by({ when: ticket.closed.at, name: ticket.closed.by })}</p>
            </div>
            {refused && (
              <>
                <LostDecision refused={refused} gone={m.ticket_gone()} />
                <Link to={to('/admin/tickets')} className="tap-link font-semibold">
                  {m.verify_queue_next()}
                </Link>
              </>
            )}
          </>
        ) : (
          <CloseForm ticket={ticket} action={action} refused={refused} />
        )}
      </div>
    </article>
  )
}

function CloseForm({ ticket, action, refused }: CardProps) {
  const error = refused?.errors.note
  return (
    <PostForm reloadDocument action={action} noValidate onSubmit={sendOnce} className="space-y-2">
      <input type="hidden" name="id" value={ticket.id} />
      <ReadyAnswers field={`note-${ticket.id}`} answers={ticket.answers} desk="tickets" />
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
    </PostForm>
  )
}
