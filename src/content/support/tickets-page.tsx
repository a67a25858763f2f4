import { redirect } from 'react-router'
import { phoneFor } from '#src/accounts/policy.ts'
import type { Ctx } from '#src/kit/context.ts'
import { plainMeta } from '#src/kit/http/plain-meta.ts'
import { ageOf } from '#src/kit/records/waiting.ts'
import { readSettings } from '#src/kit/records/settings.server.ts'
import { answersFor } from '#src/ready-answers/queries.server.ts'
import { readPageNumber } from '#src/ui/desk-query.ts'
import { formatDaysAgo, formatMoment } from '#src/kit/time-money/dates.ts'
import { localized } from '#src/kit/text/locale.ts'
import { formHeaders, formLoader, pageAction, textOf } from '#src/kit/http/page.server.ts'
import { notFound } from '#src/kit/base/problem.ts'
import { parseId } from '#src/kit/ids.ts'
import { m } from '#src/paraglide/messages.js'
import { parseInput } from '#src/kit/parse-input.ts'
import { readTicketNumber, ticketNote, ticketNumber } from './ticket-schemas.ts'
import { closeTicket, getTicket, listTickets, TICKETS_PER_PAGE, type TicketRow } from './tickets.server.ts'
import { TicketsView } from './tickets-page-view.tsx'
import type { Route } from './+types/tickets-page'

export const loader = formLoader(async (ctx, { url }) => {
  const query = url.searchParams
  const isClosed = query.get('state') === 'closed'
  const page = readPageNumber(query.get('page'))
  const chosen = parseId(query.get('ticket') ?? undefined)
  const { tickets, waiting, closed } = await listTickets(ctx, { isClosed, page })
  const one = chosen === null ? (isClosed ? undefined : tickets[0]) : await getTicket(ctx, chosen)
  const target = (await readSettings(ctx)).deskTargets.tickets
  return {
    isClosed,
    page,
    perPage: TICKETS_PER_PAGE,
    waiting,
    closed,
    tickets: tickets.map((ticket) => shownRow(ctx, ticket, target)),
    one: one ? await shownCase(ctx, one, target) : null,
    isChosen: chosen !== null,
    done: readTicketNumber(query.get('done')),
    locale: ctx.locale,
    origin: ctx.publicOrigin,
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

export const meta = ({ loaderData }: Route.MetaArgs) =>
  loaderData ? plainMeta({ ...loaderData, path: '/admin/tickets', title: m.ticket_queue(), description: m.ticket_queue_lead() }) : []

export default function TicketsPage({ loaderData, actionData }: Route.ComponentProps) {
  return <TicketsView {...loaderData} refused={actionData?.refused} />
}

export type TicketsData = Route.ComponentProps['loaderData']
