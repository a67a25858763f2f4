import { and, eq, isNotNull, isNull, ne, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { requireCan } from '#src/accounts/policy.ts'
import { holdAdmin } from '#src/accounts/people/users.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { audit } from '#src/kit/records/audit.server.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { deskMatch, isRecent } from '#src/kit/db/desk-match.server.ts'
import { epochMs, localeShape, momentShape, oneRowOf, rowsOf } from '#src/kit/db/rows.server.ts'
import { outbox } from '#src/kit/db/tables.ts'
import { notFound } from '#src/kit/base/problem.ts'
import { daysBefore } from '#src/kit/time-money/dates.ts'

export const messageViews = ['waiting', 'failed', 'sent'] as const
export type MessageView = (typeof messageViews)[number]

export const MESSAGES_PER_PAGE = 50
/** Days of the plot and of the sent messages that the desk lists and counts, including today (decision 0130). */
const DAYS = 14

/** A push that precedes an SMS has no row of its own: the SMS shows which way the message went. */
const isMessage = sql`o.stands_before is null`
/** Spelled like the index `outbox_ended`. */
const endedAt = sql`coalesce(o.sent_at, o.failed_at, o.shown_at)`
const isOpen = sql`o.sent_at is null and o.failed_at is null and o.shown_at is null`

const todayOf = ({ now }: Ctx) => sql`(${now.toISOString()}::timestamptz at time zone 'Asia/Kolkata')::date`
const isOfTheDays = (ctx: Ctx) => sql`${endedAt} >= (${todayOf(ctx)} - ${DAYS - 1}::int)::timestamp at time zone 'Asia/Kolkata'`

const viewConditions: Record<MessageView, (ctx: Ctx) => SQL> = {
  waiting: () => isOpen,
  failed: () => sql`o.failed_at is not null`,
  sent: (ctx) => sql`o.failed_at is null and ${isOfTheDays(ctx)}`,
}

/**
 * `shown`: a device showed it; `push-first`: sent to devices, and by SMS when no device shows it within ten minutes; `sms`: by SMS at once; `push`:
 * sent to devices only, not shown yet.
 */
export const ways = ['shown', 'push-first', 'sms', 'push', 'email'] as const
export type Way = (typeof ways)[number]

const messageRow = z.object({
  id: z.number(),
  way: z.enum(ways),
  recipient: z.string(),
  userId: z.number().nullable(),
  userName: z.string().nullable(),
  template: z.string(),
  locale: localeShape,
  attempts: z.number(),
  lastError: z.string().nullable(),
  at: momentShape,
  /** When the next attempt is due; only for a waiting message. */
  dueAt: momentShape,
  /** False when the secret text was deleted after the last attempt: the message cannot be sent again. */
  canRetry: z.boolean(),
  /** The number of all that a search finds. */
  found: z.number(),
})

/** With a limit, because PostgreSQL reads all kept pushes at once for an `exists`. */
const way = sql`case when o.shown_at is not null then 'shown' when o.channel <> 'sms' then o.channel
  when (select p.id from outbox p where p.stands_before = o.id limit 1) is not null then 'push-first' else 'sms' end`

interface MessageQuery {
  view: MessageView
  /** Null: all. */
  way: Way | null
  page: number
  /** A search. */
  text?: string
}

const matching = (typed: string) =>
  deskMatch(typed, {
    number: (id) => sql`o.user_id = ${id}::bigint`,
    phone: (phone) => sql`(o.recipient = ${phone} or o.user_id in (select id from users where phone = ${phone}))`,
    words: [sql`u.name`, sql`o.template`],
    among: isRecent(sql`o.id`, sql`outbox`),
  })

/** Waiting messages oldest first, others newest first. For admins; without the texts, which only receivers may read. */
export async function listDeskMessages(
  ctx: Ctx,
  { view, way: wanted, page, text = '' }: MessageQuery,
): Promise<z.output<typeof messageRow>[]> {
  requireCan(ctx, 'operate')
  const order = {
    waiting: sql`o.due_at, o.id`,
    failed: sql`o.failed_at desc, o.id desc`,
    sent: sql`${endedAt} desc, o.id desc`,
  }[view]
  return rowsOf(
    ctx,
    sql`
    select o.id::float8 as id, ${way} as way, o.recipient, o.user_id::float8 as "userId", u.name as "userName", o.template,
      o.locale, o.attempts, o.last_error as "lastError",
      ${epochMs(sql`coalesce(${endedAt}, o.created_at)`)} as at, ${epochMs(sql`o.due_at`)} as "dueAt",
      o.failed_at is not null and o.body <> '' as "canRetry", ${text === '' ? sql`0` : sql`count(*) over ()`}::int as found
    from outbox o left join users u on u.id = o.user_id where ${isMessage} and ${viewConditions[view](ctx)}
      ${wanted === null ? sql`` : sql`and ${way} = ${wanted}`} and ${matching(text)}
    order by ${order} limit ${MESSAGES_PER_PAGE} offset ${(page - 1) * MESSAGES_PER_PAGE}`,
    messageRow,
  )
}

/** The parts that a network bills. A text with Tamil: 70 characters, or 67 for each part of a longer one. Any other text: 160, or 153. */
const smsParts = sql`(case when octet_length(o.body) > length(o.body)
  then case when length(o.body) <= 70 then 1 else ceil(length(o.body) / 67.0) end
  else case when length(o.body) <= 160 then 1 else ceil(length(o.body) / 153.0) end end)`

const figuresRow = z.object({
  ways: z.array(z.object({ way: z.enum(ways), waiting: z.number(), failed: z.number(), sent: z.number() })).nullable(),
  /** Every Indian day of two weeks, oldest first. `notShown`: the SMS among `sms` that went out because no device had shown the push. */
  days: z.array(
    z.object({
      day: z.string(),
      sms: z.number(),
      notShown: z.number(),
      parts: z.number(),
      email: z.number(),
      failed: z.number(),
      shown: z.number(),
      spared: z.number(),
    }),
  ),
  /** Per channel, over the last 24 hours: what the provider accepted and refused, and what devices have shown. */
  channels: z.array(
    z.object({
      channel: z.enum(['sms', 'email', 'push']),
      sent: z.number(),
      failed: z.number(),
      waiting: z.number(),
      shown: z.number(),
      lastError: z.string().nullable(),
      sentAt: momentShape.nullable(),
    }),
  ),
})
type FiguresRow = z.output<typeof figuresRow>

interface MessageFigures extends FiguresRow {
  counts: Record<MessageView, number>
  /** The counts of each way that has messages. */
  ways: NonNullable<FiguresRow['ways']>
}

/** Returns the state of sending: sent messages of the days of the plot, and all that wait or failed. One statement. */
export async function readMessageFigures(ctx: Ctx): Promise<MessageFigures> {
  requireCan(ctx, 'operate')
  const lastDay = sql`${daysBefore(ctx.now, 1).toISOString()}::timestamptz`
  const columns = sql`o.id, o.channel, ${way} as way, ${isMessage} as is_message, ${endedAt} as ended_at, o.sent_at, o.failed_at, o.shown_at,
    coalesce(o.failed_at, o.created_at) as tried_at, o.last_error, case when o.channel = 'sms' then ${smsParts} end as parts`
  const row = await oneRowOf(
    ctx,
    sql`
    with recent as (
      select ${columns} from outbox o where ${isOfTheDays(ctx)} union all select ${columns} from outbox o where ${isOpen}),
    grouped as materialized (
      select (ended_at at time zone 'Asia/Kolkata')::date as day, channel, way, is_message,
        sent_at is not null as is_sent, failed_at is not null as is_failed, shown_at is not null as is_shown,
        count(*) as n, sum(parts) as parts, count(*) filter (where sent_at > ${lastDay}) as sent_lately,
        count(*) filter (where failed_at > ${lastDay}) as failed_lately, count(*) filter (where shown_at > ${lastDay}) as shown_lately,
        max(id) filter (where last_error is not null and tried_at > ${lastDay}) as last_failed, max(sent_at) as sent_at
      from recent group by 1, 2, 3, 4, 5, 6, 7),
    by_channel as (
      select channel, sum(sent_lately)::int as sent, sum(failed_lately)::int as failed, (sum(n) filter (where day is null))::int as waiting,
        sum(shown_lately)::int as shown, max(last_failed) as last_failed, max(sent_at) as sent_at
      from grouped group by channel),
    by_way as (
      select way, sum(n) filter (where day is null) as waiting, 0 as failed, sum(n) filter (where day is not null and not is_failed) as sent
      from grouped where is_message group by way
      union all select ${way}, 0, count(*), 0 from outbox o where ${isMessage} and o.failed_at is not null group by 1),
    ways as (
      select way, coalesce(sum(waiting), 0) as waiting, sum(failed) as failed, coalesce(sum(sent), 0) as sent from by_way group by way),
    by_day as (
      select day, sum(n) filter (where is_sent and channel = 'sms') as sms, sum(n) filter (where is_sent and way = 'push-first') as not_shown,
        sum(n) filter (where is_sent and channel = 'email') as email, sum(n) filter (where is_failed and is_message) as failed,
        sum(n) filter (where is_shown and is_message) as shown, sum(parts) filter (where is_sent) as parts,
        sum(parts) filter (where is_shown) as spared
      from grouped where day is not null group by 1)
    select (select json_agg(ways) from ways) as ways,
      (select json_agg(json_build_object('day', g::date::text, 'sms', coalesce(d.sms, 0), 'notShown', coalesce(d.not_shown, 0), 'parts', coalesce(d.parts, 0), 'email', coalesce(d.email, 0),
          'failed', coalesce(d.failed, 0), 'shown', coalesce(d.shown, 0), 'spared', coalesce(d.spared, 0)) order by g)
        from generate_series(${todayOf(ctx)} - ${DAYS - 1}::int, ${todayOf(ctx)}, interval '1 day') g left join by_day d on d.day = g::date) as days,
      (select json_agg(json_build_object('channel', k.channel, 'sent', coalesce(c.sent, 0), 'failed', coalesce(c.failed, 0), 'waiting', coalesce(c.waiting, 0),
          'shown', coalesce(c.shown, 0), 'lastError', (select o.last_error from outbox o where o.id = c.last_failed), 'sentAt', ${epochMs(sql`c.sent_at`)}) order by k.place)
        from (values ('sms', 1), ('push', 2), ('email', 3)) k(channel, place) left join by_channel c on c.channel = k.channel) as channels`,
    figuresRow,
  )
  const byWay = row.ways ?? []
  const countOf = (view: MessageView) => byWay.reduce((sum, each) => sum + each[view], 0)
  return {
    ...row,
    counts: { waiting: countOf('waiting'), failed: countOf('failed'), sent: countOf('sent') },
    ways: byWay,
  }
}

/** Queues a failed message again, or all of them when `id` is null. Returns how many. NOT_FOUND when there is none (any more). */
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
