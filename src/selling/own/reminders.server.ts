import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { devicesOf, SMS_NAME, smsTo, receiverShape, type Receiver } from '#src/accounts/notifications/receivers.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { daysBefore, formatDay } from '#src/kit/time-money/dates.ts'
import { localized } from '#src/kit/text/locale.ts'
import { queueMessage } from '#src/kit/messages/outbox.server.ts'
import { epochMs, momentShape, rowsOf } from '#src/kit/db/rows.server.ts'
import { shorten } from '#src/kit/http/seo.ts'
import { isLive } from '#src/listings/browse/browse.server.ts'
import { m } from '#src/paraglide/messages.js'
import { closesAt, RENEW_AFTER_DAYS } from './renew-rules.ts'

/** Batch size per transaction, small enough that locks are short. */
const SELLERS_AT_ONCE = 50

/** Runs batches of `SELLERS_AT_ONCE` until no seller is left; returns how many were asked. */
export async function remindSellers(ctx: Ctx): Promise<number> {
  let asked = 0
  for (;;) {
    const batch = await remindSome(ctx)
    asked += batch
    if (batch < SELLERS_AT_ONCE) return asked
  }
}

const dueRow = z.object({ name: z.string(), touchedAt: momentShape })

/**
 * "Still for sale?" Sends one SMS to each seller with listings that are untouched for ninety days and not asked about since. Several
 * processes may run at once: `skip locked` on the seller's row gives each seller to one of them, and the transaction of the SMS records the
 * question.
 */
async function remindSome(ctx: Ctx): Promise<number> {
  const silent = daysBefore(ctx.now, RENEW_AFTER_DAYS).toISOString()
  const isDue = sql`${isLive(ctx.now)} and l.touched_at < ${silent}::timestamptz and (l.reminded_at is null or l.reminded_at <= l.touched_at)`
  return inTransaction(ctx, async (ctx) => {
    const sellers = await rowsOf(
      ctx,
      sql`
      select u.id::int as id, u.phone, u.locale, ${devicesOf('u.id')} as devices from users u
      where exists (select 1 from listings l where l.seller_id = u.id and ${isDue})
      order by u.id limit ${SELLERS_AT_ONCE} for no key update skip locked`,
      receiverShape,
    )
    for (const seller of sellers) {
      // Check again: another process may have asked the seller before it released the row.
      const due = await rowsOf(
        ctx,
        sql`
        update listings l set reminded_at = ${ctx.now.toISOString()}::timestamptz
        where l.seller_id = ${seller.id}::bigint and ${isDue}
        returning coalesce(${seller.locale === 'en' ? sql`l.name_en` : sql`l.name`}, l.name) as name,
          ${epochMs(sql`l.touched_at`)} as "touchedAt"`,
        dueRow,
      )
      if (due.length > 0) await sendReminder(ctx, seller, due)
    }
    return sellers.length
  })
}

async function sendReminder(ctx: Ctx, seller: Receiver, due: z.output<typeof dueRow>[]): Promise<void> {
  const { locale } = seller
  const first = due.toSorted((a, b) => a.touchedAt.getTime() - b.touchedAt.getTime())[0]!
  const variables = {
    name: shorten(first.name, SMS_NAME),
    day: formatDay(closesAt(first.touchedAt), locale),
    link: ctx.publicOrigin + localized('/seller-product', locale),
    count: String(due.length - 1),
  }
  const isOne = due.length === 1
  const body = isOne ? m.sms_listing_remind(variables, { locale }) : m.sms_listing_remind_more(variables, { locale })
  const template = isOne ? 'listing-remind' : 'listing-remind-more'
  await queueMessage(ctx, smsTo(seller, template, variables, body))
}
