import { and, desc, eq, lt, ne, not, sql } from 'drizzle-orm'
import { z } from 'zod'
import { users } from '#src/accounts/tables.ts'
import type { Ctx, Viewer } from '#src/kit/context.ts'
import { oneRowOf } from '#src/kit/db/rows.server.ts'
import { outbox } from '#src/kit/db/tables.ts'
import { MESSAGE_DELAY_SECONDS } from '#src/kit/undo-seconds.ts'
import type { Locale } from '#src/kit/text/locale.ts'
import { isLive } from '#src/listings/browse/browse.server.ts'
import { DELIVERED } from '#src/orders/process.server.ts'

export const NOTIFICATIONS_PER_PAGE = 10

export interface Told {
  id: number
  text: string
  locale: Locale
  at: Date
}

/**
 * An act that can still be undone holds the message, so neither the SMS nor a push for it is due. At night a push that
 * waits for the morning looks the same during these seconds.
 */
const isHeld = sql`(${outbox.attempts} = 0 and ${outbox.createdAt} > now() - make_interval(secs => ${MESSAGE_DELAY_SECONDS})
  and coalesce((select min(push.due_at) from outbox push where push.stands_before = ${outbox.id}), ${outbox.dueAt}) > now())`

/** The viewer's SMS, newest first. Secrets are left out even while the message is still queued. */
export async function listNotifications(ctx: Ctx, viewer: Viewer, beforeId: number | null): Promise<{ told: Told[]; next: number | null }> {
  const rows = await ctx.db
    .select({ id: outbox.id, text: outbox.body, locale: outbox.locale, at: outbox.createdAt })
    .from(outbox)
    .where(
      and(
        eq(outbox.userId, viewer.id),
        eq(outbox.channel, 'sms'),
        ne(outbox.body, ''),
        not(isHeld),
        beforeId === null ? undefined : lt(outbox.id, beforeId),
      ),
    )
    .orderBy(desc(outbox.id))
    .limit(NOTIFICATIONS_PER_PAGE + 1)
  const told = rows.slice(0, NOTIFICATIONS_PER_PAGE)
  return { told, next: rows.length > NOTIFICATIONS_PER_PAGE ? told.at(-1)!.id : null }
}

/** The language of new messages: the one of the profile, whichever language the person reads the pages in. */
export async function messageLanguage(ctx: Ctx, { id }: Viewer): Promise<Locale> {
  const [row] = await ctx.db.select({ locale: users.locale }).from(users).where(eq(users.id, id))
  return row?.locale ?? ctx.locale
}

/** Counts of the viewer's things. One statement. */
export async function countOwn(ctx: Ctx, { id }: Viewer) {
  const me = sql`${id}::bigint`
  return oneRowOf(
    ctx,
    sql`
    select (select count(*)::int from saved_listings where user_id = ${me}) as animals,
      (select count(*)::int from saved_searches where user_id = ${me}) as searches,
      (select count(*)::int from listings l where l.seller_id = ${me} and ${isLive(ctx.now)}) as live,
      (select count(*)::int from listings l where l.seller_id = ${me} and l.state = 'pending') as waiting,
      (select count(*)::int from orders where buyer_id = ${me} and status < ${DELIVERED}) as bought,
      (select count(*)::int from orders where seller_id = ${me} and status < ${DELIVERED}) as sold,
      (select count(*)::int from enquiries where poster_id = ${me} and closed_at is null) as enquiries,
      (select count(*)::int from enquiry_offers o join enquiries e on e.id = o.enquiry_id where e.poster_id = ${me} and e.closed_at is null) as offers,
      (select count(*)::int from threads where author_id = ${me} and state <> 'deleted') as threads,
      (select count(*)::int from replies where author_id = ${me} and state <> 'deleted') as replies`,
    ownCountsShape,
  )
}

const ownCountsShape = z.record(
  z.enum(['animals', 'searches', 'live', 'waiting', 'bought', 'sold', 'enquiries', 'offers', 'threads', 'replies']),
  z.number(),
)
