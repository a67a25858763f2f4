import { firstRow } from '#src/kit/db/rows.server.ts'
import { createHash } from 'node:crypto'
import { and, asc, desc, eq, isNotNull, isNull, lt, sql, type SQL } from 'drizzle-orm'
import { requireCan, requireLoggedIn } from '#src/accounts/policy.ts'
import { users } from '#src/accounts/tables.ts'
import { findReceiver, notify, smsTo } from '#src/accounts/notifications/receivers.server.ts'
import { audit } from '#src/kit/records/audit.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { deskMatch, isRecent } from '#src/kit/db/desk-match.server.ts'
import type { Db } from '#src/kit/db/db.ts'
import { findAnswer, once } from '#src/kit/records/idempotency.server.ts'
import { localized, type Locale } from '#src/kit/text/locale.ts'
import { plainDigits } from '#src/kit/text/plain-text.ts'
import { readProductNumber } from '#src/listings/browse/search.server.ts'
import { queueMessage } from '#src/kit/messages/outbox.server.ts'
import { notFound } from '#src/kit/base/problem.ts'
import { decidedMeanwhile } from '#src/kit/problem-text.ts'
import { m } from '#src/paraglide/messages.js'
import { tickets } from '#src/content/tables.ts'
import { ticketNumber, type TicketInput, type TicketTopic } from './ticket-schemas.ts'

export const TICKETS_PER_PAGE = 30
/** Own tickets below the form. */
const OWN_SHOWN = 5
/** A closed ticket is stored this long, to answer "what did you tell me then?". */
export const KEEP_CLOSED_DAYS = 365

/**
 * Opens a ticket and returns its number; idempotent per form, also under concurrency. A logged-in person who gives their own number also
 * gets the ticket's number by SMS, in the language of their settings; no other number gets an SMS. `browser` distinguishes anonymous
 * visitors.
 */
export async function openTicket(ctx: Ctx, { key, ...input }: TicketInput, browser: string): Promise<string> {
  const { viewer, locale, now } = ctx
  return once(ctx, { ...intentOf(ctx, { key, ...input }, browser), request: input }, async (ctx) => {
    const [row] = await ctx.db
      .insert(tickets)
      .values({ ...input, userId: viewer?.id ?? null, locale, createdAt: now })
      .returning({ id: tickets.id })
    const number = ticketNumber(row!.id)
    const person = viewer && (await findReceiver(ctx, viewer.id))
    if (person?.phone === input.phone)
      await queueMessage(ctx, smsTo(person, 'ticket-opened', { number }, m.sms_ticket_opened({ number }, { locale: person.locale })))
    return number
  })
}

const SEAL = 'ticket-sent'
/** Seals the number for the address of the confirmation page, so that nobody can forge a confirmation of a ticket that never arrived. */
export const sealNumber = (ctx: Ctx, number: string): string => ctx.vault.seal(SEAL, number).toString('base64url')

/** The number in a sealed address; null for a seal that is not ours. */
export function openSealed(ctx: Ctx, seal: string | null): string | null {
  if (!seal) return null
  try {
    return String(ctx.vault.open(SEAL, Buffer.from(seal, 'base64url')))
  } catch {
    return null
  }
}

/** Whether exactly this was sent before: a repeat does not use up another of the day's tickets. */
export async function wasOpened(ctx: Ctx, input: TicketInput, browser: string): Promise<boolean> {
  return (await findAnswer(ctx, intentOf(ctx, input, browser))) !== null
}

/** A changed text from the same form is another ticket. */
function intentOf({ viewer }: Ctx, { key, ...input }: TicketInput, browser: string): { owner: string; key: string } {
  const content = createHash('sha256').update(JSON.stringify(input)).digest('base64url')
  return { owner: `${viewer ? `user:${viewer.id}` : `browser:${browser}`}|ticket`, key: `${key}.${content}` }
}

export async function ownPhone(ctx: Ctx): Promise<string | null> {
  return ctx.viewer && ((await findReceiver(ctx, ctx.viewer.id))?.phone ?? null)
}

interface OwnTicket {
  number: string
  topic: TicketTopic
  content: string
  createdAt: Date
  /** Null while the ticket is open. */
  note: string | null
}

/** The viewer's own tickets, newest first. */
export async function listOwnTickets(ctx: Ctx): Promise<OwnTicket[]> {
  if (!ctx.viewer) return []
  const rows = await ctx.db.select().from(tickets).where(eq(tickets.userId, ctx.viewer.id)).orderBy(desc(tickets.id)).limit(OWN_SHOWN)
  return rows.map(({ id, topic, content, createdAt, closedAt, note }) => ({
    number: ticketNumber(id),
    topic,
    content,
    createdAt,
    note: closedAt ? note : null,
  }))
}

export interface TicketRow {
  id: number
  number: string
  name: string
  phone: string
  topic: TicketTopic
  content: string
  createdAt: Date
  userId: number | null
  /** The language in which the person reads the answer. */
  locale: Locale
  /** Null while the ticket is open. */
  closed: { at: Date; by: string; note: string } | null
}

interface TicketChoices {
  isClosed: boolean
  /** Counts from 1. */
  page?: number
  /** A search. */
  text?: string
}

/** The number of a ticket, a whole phone number, the number of an animal in a text, or words. */
function matching(typed: string): SQL | undefined {
  const text = plainDigits(typed)
  const among = sql`(${tickets.closedAt} is null or ${isRecent(sql`${tickets.id}`, sql`tickets`)})`
  const animal = sql`concat_ws(' ', ${tickets.name}, ${tickets.content}, ${tickets.note}) ~* ${text.replace(/[\s-]*(?=\d+$)/, '[ -]*')}`
  if (readProductNumber(text)) return and(among, animal)
  return deskMatch(typed, {
    prefix: 'su',
    number: (id) => eq(tickets.id, id),
    phone: (phone) => sql`(${tickets.phone} = ${phone} or ${tickets.userId} in (select u.id from users u where u.phone = ${phone}))`,
    words: [sql`${tickets.name}`, sql`${tickets.content}`, sql`${tickets.note}`],
    among,
  })
}

/** For admins: open tickets oldest first, or closed ones newest first; and the number of both that the search finds. */
export async function listTickets(
  ctx: Ctx,
  { isClosed, page = 1, text = '' }: TicketChoices,
): Promise<{ tickets: TicketRow[]; waiting: number; closed: number }> {
  requireCan(ctx, 'operate')
  const found = matching(text)
  const { all, closed } = firstRow(
    await ctx.db
      .select({ all: sql<number>`count(*)::int`, closed: sql<number>`count(closed_at)::int` })
      .from(tickets)
      .where(found),
  )
  const rows = await selectTickets(ctx)
    .where(and(isClosed ? isNotNull(tickets.closedAt) : isNull(tickets.closedAt), found))
    .orderBy(...(isClosed ? [desc(tickets.closedAt), desc(tickets.id)] : [asc(tickets.createdAt), asc(tickets.id)]))
    .limit(TICKETS_PER_PAGE)
    .offset((page - 1) * TICKETS_PER_PAGE)
  return { waiting: all - closed, closed, tickets: rows.map(toRow) }
}

/** For admins: one ticket, open or closed. Raises NOT_FOUND. */
export async function getTicket(ctx: Ctx, id: number): Promise<TicketRow> {
  requireCan(ctx, 'operate')
  const [row] = await selectTickets(ctx).where(eq(tickets.id, id))
  if (!row) throw notFound()
  return toRow(row)
}

const selectTickets = (ctx: Ctx) =>
  ctx.db
    .select({ ticket: tickets, by: users.name, locale: sql<Locale | null>`(select u.locale from users u where u.id = ${tickets.userId})` })
    .from(tickets)
    .leftJoin(users, eq(users.id, tickets.closedById))

interface SelectedTicket {
  ticket: typeof tickets.$inferSelect
  by: string | null
  locale: Locale | null
}

const toRow = ({ ticket: { closedAt, note, ...ticket }, by, locale }: SelectedTicket): TicketRow => ({
  id: ticket.id,
  number: ticketNumber(ticket.id),
  name: ticket.name,
  phone: ticket.phone,
  topic: ticket.topic,
  content: ticket.content,
  createdAt: ticket.createdAt,
  userId: ticket.userId,
  locale: locale ?? ticket.locale,
  closed: closedAt && { at: closedAt, by: by ?? '', note: note ?? '' },
})

/**
 * Closes a ticket with a note; a logged-in author gets the note by SMS in their own language. VERSION when it is closed already (decision 0112);
 * the same note of the same admin sent twice succeeds. NOT_FOUND.
 */
export async function closeTicket(ctx: Ctx, id: number, note: string): Promise<void> {
  requireCan(ctx, 'operate')
  await inTransaction(ctx, async (ctx) => {
    const [closed] = await ctx.db
      .update(tickets)
      .set({ closedAt: ctx.now, closedById: requireLoggedIn(ctx).id, note })
      .where(and(eq(tickets.id, id), isNull(tickets.closedAt)))
      .returning({ userId: tickets.userId })
    if (!closed) return ensureOwnRepeat(ctx, id, note)
    if (closed.userId !== null)
      await notify(ctx, closed.userId, 'ticket-closed', m.sms_ticket_closed, (locale) => ({
        number: ticketNumber(id),
        note,
        link: ctx.publicOrigin + localized('/support', locale),
      }))
    await audit(ctx, 'ticket_closed', `ticket:${id}`)
  })
}

async function ensureOwnRepeat(ctx: Ctx, id: number, note: string): Promise<void> {
  const { ticket, by } = (await selectTickets(ctx).where(eq(tickets.id, id)))[0] ?? {}
  if (!ticket?.closedAt) throw notFound()
  if (ticket.closedById === requireLoggedIn(ctx).id && ticket.note === note) return
  throw decidedMeanwhile({
    what: (locale) => m.ticket_show_closed({}, { locale }),
    by: (locale) => by || m.profile_deleted_user({}, { locale }),
    at: ticket.closedAt,
  })
}

export async function sweepTickets(db: Db): Promise<void> {
  await db.delete(tickets).where(lt(tickets.closedAt, sql`now() - make_interval(days => ${KEEP_CLOSED_DAYS})`))
}
