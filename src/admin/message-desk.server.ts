import { and, eq, isNotNull, isNull, ne, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { requireCan } from '#src/accounts/policy.ts'
import { holdAdmin } from '#src/accounts/users.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { audit } from '#src/kit/db/audit.server.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { localeShape, longShape, rowsOf } from '#src/kit/db/rows.server.ts'
import { outbox } from '#src/kit/db/tables.ts'
import type { Channel } from '#src/kit/messages/outbox.server.ts'
import { notFound } from '#src/kit/problem.ts'
import type { Locale } from '#src/kit/text/locale.ts'
import { daysBefore } from '#src/kit/time-money/dates.ts'

export const messageViews = ['waiting', 'failed', 'sent'] as const
export type MessageView = (typeof messageViews)[number]

export const MESSAGES_PER_PAGE = 50
/** Days of the plot, today among them. */
const DAYS = 14

/** A push that stands before an SMS is not listed by itself: the SMS says which way the message went. */
const isMessage = sql`o.stands_before is null`
const conditions: Record<MessageView, SQL> = {
  waiting: sql`${isMessage} and o.sent_at is null and o.failed_at is null and o.shown_at is null`,
  failed: sql`${isMessage} and o.failed_at is not null`,
  sent: sql`${isMessage} and (o.sent_at is not null or o.shown_at is not null) and o.failed_at is null`,
}

/** `shown`: on a device; `push`: to devices alone, and none has said that it was shown; `push-first`: the same, and then by SMS. */
export type Way = 'sms' | 'email' | 'shown' | 'push' | 'push-first'

export interface DeskMessage {
  id: number
  way: Way
  recipient: string
  userId: number | null
  userName: string | null
  template: string
  locale: Locale
  attempts: number
  lastError: string | null
  at: Date
  /** When the next attempt is due; of a waiting one. */
  dueAt: Date
  /** A secret is gone once it was given up: nothing is left to send. */
  canRetry: boolean
}

const messageRow = z.object({
  id: longShape,
  way: z.enum(['sms', 'email', 'shown', 'push', 'push-first']),
  recipient: z.string(),
  user_id: longShape.nullable(),
  user_name: z.string().nullable(),
  template: z.string(),
  locale: localeShape,
  attempts: z.number(),
  last_error: z.string().nullable(),
  ms: z.number(),
  due: z.number(),
  can_retry: z.boolean(),
})

const way = sql`case when o.shown_at is not null then 'shown' when o.channel <> 'sms' then o.channel
  when exists (select 1 from outbox p where p.stands_before = o.id) then 'push-first' else 'sms' end`

const ms = (moment: SQL) => sql`floor(extract(epoch from ${moment}) * 1000)::float8`

/** A page of messages: what waits longest first, else the last first. For admins; without their texts, which are between us and their readers. */
export async function listDeskMessages(ctx: Ctx, { view, page }: { view: MessageView; page: number }): Promise<DeskMessage[]> {
  requireCan(ctx, 'operate')
  const order = {
    waiting: sql`o.due_at, o.id`,
    failed: sql`o.failed_at desc, o.id desc`,
    sent: sql`coalesce(o.sent_at, o.shown_at) desc, o.id desc`,
  }[view]
  const rows = await rowsOf(
    ctx,
    sql`
    select o.id, ${way} as way, o.recipient, o.user_id, u.name as user_name, o.template, o.locale, o.attempts, o.last_error,
      ${ms(sql`coalesce(o.sent_at, o.failed_at, o.shown_at, o.created_at)`)} as ms, ${ms(sql`o.due_at`)} as due, o.failed_at is not null and o.body <> '' as can_retry
    from outbox o left join users u on u.id = o.user_id where ${conditions[view]}
    order by ${order} limit ${MESSAGES_PER_PAGE} offset ${(page - 1) * MESSAGES_PER_PAGE}`,
    messageRow,
  )
  return rows.map((row) => ({
    id: Number(row.id),
    way: row.way,
    recipient: row.recipient,
    userId: row.user_id === null ? null : Number(row.user_id),
    userName: row.user_name,
    template: row.template,
    locale: row.locale,
    attempts: row.attempts,
    lastError: row.last_error,
    at: new Date(row.ms),
    dueAt: new Date(row.due),
    canRetry: row.can_retry,
  }))
}

/** What a network bills: 70 letters of a text with Tamil in it, 160 of any other; of a longer one 67 or 153 for each part. */
const smsParts = sql`(case when o.body ~ '[^[:ascii:]]'
  then case when length(o.body) <= 70 then 1 else ceil(length(o.body) / 67.0) end
  else case when length(o.body) <= 160 then 1 else ceil(length(o.body) / 153.0) end end)`

export interface MessageFigures {
  counts: Record<MessageView, number>
  /** The oldest first, every day of two weeks; Indian days. */
  days: { day: string; sms: number; parts: number; email: number; failed: number; shown: number; spared: number }[]
  /** By channel, of the last day: whether the provider takes what we bring, and how much of it devices have shown. */
  channels: {
    channel: Channel
    sent: number
    failed: number
    waiting: number
    shown: number
    lastError: string | null
    sentAt: Date | null
  }[]
}

const figuresRow = z.object({
  waiting: z.number(),
  failed: z.number(),
  sent: z.number(),
  days: z.array(
    z.object({
      day: z.string(),
      sms: z.number(),
      parts: z.number(),
      email: z.number(),
      failed: z.number(),
      shown: z.number(),
      spared: z.number(),
    }),
  ),
  channels: z.array(
    z.object({
      channel: z.enum(['sms', 'email', 'push']),
      sent: z.number(),
      failed: z.number(),
      waiting: z.number(),
      shown: z.number(),
      lastError: z.string().nullable(),
      ms: z.number().nullable(),
    }),
  ),
})

/** How sending goes: all of it in one statement. */
export async function readMessageFigures(ctx: Ctx): Promise<MessageFigures> {
  requireCan(ctx, 'operate')
  const now = sql`${ctx.now.toISOString()}::timestamptz`
  const lastDay = sql`${daysBefore(ctx.now, 1).toISOString()}::timestamptz`
  const indian = (moment: SQL) => sql`(${moment} at time zone 'Asia/Kolkata')::date`
  const [row] = await rowsOf(
    ctx,
    sql`
    select
      (select count(*)::int from outbox o where ${conditions.waiting}) as waiting,
      (select count(*)::int from outbox o where ${conditions.failed}) as failed,
      (select count(*)::int from outbox o where ${conditions.sent}) as sent,
      (select json_agg(d order by d.day) from (
        select g::date::text as day, (count(*) filter (where o.sent_at is not null and o.channel = 'sms'))::int as sms,
          coalesce(sum(${smsParts}) filter (where o.sent_at is not null and o.channel = 'sms'), 0)::int as parts,
          (count(*) filter (where o.sent_at is not null and o.channel = 'email'))::int as email,
          (count(*) filter (where o.failed_at is not null and ${isMessage}))::int as failed,
          (count(*) filter (where o.shown_at is not null and ${isMessage}))::int as shown,
          coalesce(sum(${smsParts}) filter (where o.shown_at is not null and o.channel = 'sms'), 0)::int as spared
        from generate_series(${indian(now)} - ${DAYS - 1}::int, ${indian(now)}, interval '1 day') g
        left join outbox o on ${indian(sql`coalesce(o.sent_at, o.failed_at, o.shown_at)`)} = g::date
        group by g) d) as days,
      (select json_agg(c order by c.place) from (
        select k.channel, k.place, (count(*) filter (where o.sent_at > ${lastDay}))::int as sent, (count(*) filter (where o.failed_at > ${lastDay}))::int as failed,
          (count(o.id) filter (where o.sent_at is null and o.failed_at is null and o.shown_at is null))::int as waiting,
          (count(*) filter (where o.shown_at > ${lastDay}))::int as shown,
          (array_agg(o.last_error order by o.id desc) filter (where o.last_error is not null and coalesce(o.failed_at, o.created_at) > ${lastDay}))[1] as "lastError",
          ${ms(sql`max(o.sent_at)`)} as ms
        from (values ('sms', 1), ('push', 2), ('email', 3)) k(channel, place) left join outbox o on o.channel = k.channel group by k.channel, k.place) c) as channels`,
    figuresRow,
  )
  const { waiting, failed, sent, days, channels } = row!
  return {
    counts: { waiting, failed, sent },
    days,
    channels: channels.map(({ ms: time, ...channel }) => ({ ...channel, sentAt: time === null ? null : new Date(time) })),
  }
}

/** A message that was given up is tried anew, or all of them with a null; answers how many. NOT_FOUND where there is none (any more). */
export async function retryMessages(ctx: Ctx, id: number | null): Promise<number> {
  requireCan(ctx, 'operate')
  return inTransaction(ctx, async (ctx) => {
    await holdAdmin(ctx)
    const again = await ctx.db
      .update(outbox)
      .set({ failedAt: null, attempts: 0, dueAt: ctx.now, lastError: null })
      .where(and(isNotNull(outbox.failedAt), ne(outbox.body, ''), isNull(outbox.standsBefore), id === null ? undefined : eq(outbox.id, id)))
      .returning({ id: outbox.id })
    if (again.length === 0) throw notFound()
    await audit(ctx, 'message_retried', id === null ? 'messages' : `message:${id}`, { messages: again.length })
    return again.length
  })
}
