import { and, eq, isNull, ne, sql } from 'drizzle-orm'
import { users } from '#src/accounts/tables.ts'
import { FIRST_ORDER, REFERRAL, type DiscountOffer } from '#src/cart/rules.ts'
import type { Ctx } from '#src/kit/context.ts'
import { rupees } from '#src/kit/money.ts'
import { readSettings } from '#src/kit/settings.server.ts'
import type { DiscountSetting, MarketSettings } from '#src/kit/settings.ts'
import { CANCELLED } from './rules.ts'
import { discountUses, orders } from './tables.ts'

/** Of the specification (B §7): ten letters or digits. */
export const REFERRAL_CODE = /^[A-Za-z0-9]{10}$/

export interface FoundDiscount extends DiscountOffer {
  /** Whose code it is; null with the first order's. */
  referrerId: number | null
}

/**
 * The one discount that the viewer would have now: his first order's if he has a right to it, else the referral code's. A code that
 * is unknown, his own or used up answers alike: nothing. Ask again inside the transaction that places the order.
 */
export async function findDiscount(ctx: Ctx, code: string, settings?: MarketSettings): Promise<FoundDiscount | null> {
  const buyerId = ctx.viewer!.id
  const { firstOrderDiscount, referralDiscount } = settings ?? (await readSettings(ctx))
  const { rows } = (await ctx.db.execute(sql`
    select
      exists (select 1 from ${orders} o where o.buyer_id = ${buyerId}::bigint and o.status < ${CANCELLED}) as has_orders,
      coalesce(bool_or(u.type_id = ${FIRST_ORDER} and u.returned_at is null), false) as first_used,
      coalesce(bool_or(u.type_id = ${FIRST_ORDER} and u.returned_at is not null), false) as first_returned,
      coalesce(bool_or(u.type_id = ${REFERRAL} and u.returned_at is null), false) as referral_used
    from ${discountUses} u where u.buyer_id = ${buyerId}::bigint`)) as unknown as {
    rows: { has_orders: boolean; first_used: boolean; first_returned: boolean; referral_used: boolean }[]
  }
  const had = rows[0]!
  // Whoever got the right back has it, even where another order of the same cart stands.
  const isFirst = !had.first_used && (!had.has_orders || had.first_returned)
  if (isFirst && isWorth(firstOrderDiscount)) return { typeId: FIRST_ORDER, ...inMoney(firstOrderDiscount), referrerId: null }
  if (had.referral_used || !isWorth(referralDiscount) || !REFERRAL_CODE.test(code)) return null
  const [referrer] = await ctx.db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.referralCode, code.toUpperCase()), users.isActive, isNull(users.erasedAt), ne(users.id, buyerId)))
  return referrer ? { typeId: REFERRAL, ...inMoney(referralDiscount), referrerId: referrer.id } : null
}

const isWorth = ({ percent, rupees: flat, maxRupees }: DiscountSetting) => (percent > 0 || flat > 0) && maxRupees > 0
const inMoney = ({ percent, rupees: flat, maxRupees }: DiscountSetting) => ({ percent, flat: rupees(flat), cap: rupees(maxRupees) })
