import { sql } from 'drizzle-orm'
import { FIRST_ORDER, REFERRAL, type DiscountOffer } from '#src/cart/rules.ts'
import type { Ctx } from '#src/kit/context.ts'
import { rupees } from '#src/kit/money.ts'
import { currentSettings, settingsFrom } from '#src/kit/settings.server.ts'
import type { DiscountSetting, MarketSettings } from '#src/kit/settings.ts'
import { CANCELLED } from './rules.ts'
import { discountUses, orders } from './tables.ts'

/** Of the specification (B §7): ten letters or digits. */
export const REFERRAL_CODE = /^[A-Za-z0-9]{10}$/

interface FoundDiscount extends DiscountOffer {
  /** Whose code came with it: he earns for the order, also where it is the first order's discount that is taken off. */
  referrerId: number | null
}

/**
 * The one discount that the viewer would have now: his first order's if he has a right to it, else the referral code's; and the
 * settings it was read from. A code that is unknown, his own or used up answers alike: nothing. Ask again inside the transaction that
 * places the order.
 */
export async function findDiscount(ctx: Ctx, code: string): Promise<{ offer: FoundDiscount | null; settings: MarketSettings }> {
  const buyerId = ctx.viewer!.id
  const { rows } = (await ctx.db.execute(sql`
    select
      exists (select 1 from ${orders} o where o.buyer_id = ${buyerId}::bigint and o.status < ${CANCELLED}) as has_orders,
      coalesce(bool_or(u.type_id = ${FIRST_ORDER} and u.returned_at is null), false) as first_used,
      coalesce(bool_or(u.type_id = ${FIRST_ORDER} and u.returned_at is not null), false) as first_returned,
      coalesce(bool_or(u.type_id = ${REFERRAL} and u.returned_at is null), false) as referral_used,
      (select r.id::int from users r where r.referral_code = ${REFERRAL_CODE.test(code) ? code.toUpperCase() : null}::text
        and r.is_active and r.erased_at is null and r.id <> ${buyerId}::bigint) as referrer_id,
      ${currentSettings} as settings
    from ${discountUses} u where u.buyer_id = ${buyerId}::bigint`)) as unknown as {
    rows: {
      has_orders: boolean
      first_used: boolean
      first_returned: boolean
      referral_used: boolean
      referrer_id: number | null
      settings: unknown
    }[]
  }
  const had = rows[0]!
  const settings = settingsFrom(had.settings)
  const { firstOrderDiscount, referralDiscount } = settings
  const referrerId = had.referral_used ? null : had.referrer_id
  // Whoever got the right back has it, even where another order of the same cart stands.
  const isFirst = !had.first_used && (!had.has_orders || had.first_returned)
  if (isFirst && isWorth(firstOrderDiscount))
    return { offer: { typeId: FIRST_ORDER, ...inMoney(firstOrderDiscount), referrerId }, settings }
  const offer = referrerId !== null && isWorth(referralDiscount) ? { typeId: REFERRAL, ...inMoney(referralDiscount), referrerId } : null
  return { offer: offer as FoundDiscount | null, settings }
}

const isWorth = ({ percent, rupees: flat, maxRupees }: DiscountSetting) => (percent > 0 || flat > 0) && maxRupees > 0
const inMoney = ({ percent, rupees: flat, maxRupees }: DiscountSetting) => ({ percent, flat: rupees(flat), cap: rupees(maxRupees) })
