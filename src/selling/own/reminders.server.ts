import { sql } from 'drizzle-orm'
import { SMS_NAME, smsTo, type Receiver } from '#src/accounts/receivers.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { inTransaction } from '#src/kit/database.server.ts'
import { daysBefore, formatDay } from '#src/kit/dates.ts'
import { localized } from '#src/kit/locale.ts'
import { queueMessage } from '#src/kit/outbox.server.ts'
import { shorten } from '#src/kit/seo.ts'
import { isLive } from '#src/listings/browse.server.ts'
import { m } from '#src/paraglide/messages.js'
import { closesAt, RENEW_AFTER_DAYS } from './renew-rules.ts'

/** In one transaction: few enough that nobody waits for it. */
const SELLERS_AT_ONCE = 50

/** `SELLERS_AT_ONCE` at a time until nobody is left to be asked; answers how many were. */
export async function remindSellers(ctx: Ctx): Promise<number> {
  let asked = 0
  for (;;) {
    const now = await remindSome(ctx)
    asked += now
    if (now < SELLERS_AT_ONCE) return asked
  }
}

/**
 * "Still for sale?" One SMS to each seller with listings that he has not touched for ninety days and was not asked about since.
 * Several processes may ask at once: whoever holds the seller's row tells him, the others pass him over, and what he was asked
 * is written down in the transaction of the message.
 */
async function remindSome(ctx: Ctx): Promise<number> {
  const silent = daysBefore(ctx.now, RENEW_AFTER_DAYS).toISOString()
  const isDue = sql`${isLive(ctx.now)} and l.touched_at < ${silent}::timestamptz and (l.reminded_at is null or l.reminded_at <= l.touched_at)`
  return inTransaction(ctx, async (ctx) => {
    const { rows: sellers } = (await ctx.db.execute(sql`
      select u.id::int as id, u.phone, u.locale from users u
      where exists (select 1 from listings l where l.seller_id = u.id and ${isDue})
      order by u.id limit ${SELLERS_AT_ONCE} for no key update skip locked`)) as unknown as {
      rows: Receiver[]
    }
    for (const seller of sellers) {
      // Looked at anew: another process may have told him before it let go of the row.
      const { rows: due } = (await ctx.db.execute(sql`
        update listings l set reminded_at = ${ctx.now.toISOString()}::timestamptz
        where l.seller_id = ${seller.id}::bigint and ${isDue}
        returning coalesce(${seller.locale === 'en' ? sql`l.name_en` : sql`l.name`}, l.name) as name,
          floor(extract(epoch from l.touched_at) * 1000)::bigint as touched_ms`)) as unknown as {
        rows: { name: string; touched_ms: string }[]
      }
      if (due.length > 0) await tell(ctx, seller, due)
    }
    return sellers.length
  })
}

async function tell(ctx: Ctx, seller: Receiver, due: { name: string; touched_ms: string }[]): Promise<void> {
  const { locale } = seller
  const first = due.toSorted((a, b) => Number(a.touched_ms) - Number(b.touched_ms))[0]!
  const variables = {
    name: shorten(first.name, SMS_NAME),
    day: formatDay(closesAt(new Date(Number(first.touched_ms))), locale),
    link: ctx.publicOrigin + localized('/seller-product', locale),
    count: String(due.length - 1),
  }
  const isOne = due.length === 1
  const body = isOne ? m.sms_listing_remind(variables, { locale }) : m.sms_listing_remind_more(variables, { locale })
  const template = isOne ? 'listing-remind' : 'listing-remind-more'
  await queueMessage(ctx, smsTo(seller, template, variables, body))
}
