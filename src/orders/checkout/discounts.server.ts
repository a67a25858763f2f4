import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { FIRST_ORDER, REFERRAL, type DiscountOffer } from '#src/cart/rules.ts'
import { erasedPhones } from '#src/accounts/tables.ts'
import type { Ctx } from '#src/kit/context.ts'
import { rupees } from '#src/kit/time-money/money.ts'
import { rowsOf } from '#src/kit/db/rows.server.ts'
import { currentSettings, settingsFrom } from '#src/kit/settings.server.ts'
import type { DiscountSetting, MarketSettings } from '#src/kit/settings.ts'
import { CANCELLED } from '#src/orders/rules.ts'
import { discountUses, orders } from '#src/orders/tables.ts'

/** Of the specification (B §7): ten letters or digits. */
export const REFERRAL_CODE = /^[A-Za-z0-9]{10}$/

interface FoundDiscount {
  offer: DiscountOffer | null
  /**
   * The owner of the code that the cart carries: it counts for their bonus, also where the first order's discount, or none, is taken off.
   */
  referrerId: number | null
  settings: MarketSettings
}

const findDiscountRow = z.object({
  has_orders: z.boolean(),
  first_used: z.boolean(),
  first_returned: z.boolean(),
  referral_used: z.boolean(),
  referrer_id: z.number().nullable(),
  settings: z.unknown(),
})

/**
 * The one discount that the viewer would have now: their first order's if they have a right to it, else the referral code's; and the
 * settings it was read from. A code that is unknown, one's own or used up answers alike: no offer. At most one use of a right is live; an
 * order that is called off gives it back each time (decisions.md §7.4). What the number had before its owner erased an account counts, too
 * (§7.5). Ask again inside the transaction that places the order.
 */
export async function findDiscount(ctx: Ctx, code: string): Promise<FoundDiscount> {
  const buyerId = ctx.viewer!.id
  const rows = await rowsOf(
    ctx,
    sql`
    select
      exists (select 1 from ${orders} o where o.buyer_id = ${buyerId}::bigint and o.status < ${CANCELLED}) as has_orders,
      coalesce(bool_or(u.type_id = ${FIRST_ORDER} and u.returned_at is null), false)
        or exists (select 1 from ${erasedPhones} e where e.user_id = ${buyerId}::bigint and e.had_first_order) as first_used,
      coalesce(bool_or(u.type_id = ${FIRST_ORDER} and u.returned_at is not null), false) as first_returned,
      coalesce(bool_or(u.type_id = ${REFERRAL} and u.returned_at is null), false)
        or exists (select 1 from ${erasedPhones} e where e.user_id = ${buyerId}::bigint and e.had_referral) as referral_used,
      (select r.id::int from users r where r.referral_code = ${REFERRAL_CODE.test(code) ? code.toUpperCase() : null}::text
        and r.is_active and r.erased_at is null and r.id <> ${buyerId}::bigint) as referrer_id,
      ${currentSettings(ctx)} as settings
    from ${discountUses} u where u.buyer_id = ${buyerId}::bigint`,
    findDiscountRow,
  )
  const had = rows[0]!
  const settings = settingsFrom(had.settings)
  const { firstOrderDiscount, referralDiscount } = settings
  const referrerId = had.referrer_id
  // A right that came back is there, even where another order of the same cart stands.
  const isFirst = !had.first_used && (!had.has_orders || had.first_returned)
  if (isFirst && isWorth(firstOrderDiscount))
    return { offer: { typeId: FIRST_ORDER, ...inMoney(firstOrderDiscount) }, referrerId, settings }
  const isReferral = referrerId !== null && !had.referral_used && isWorth(referralDiscount)
  return { offer: isReferral ? { typeId: REFERRAL, ...inMoney(referralDiscount) } : null, referrerId, settings }
}

const isWorth = ({ percent, rupees: flat, maxRupees }: DiscountSetting) => (percent > 0 || flat > 0) && maxRupees > 0
const inMoney = ({ percent, rupees: flat, maxRupees }: DiscountSetting) => ({ percent, flat: rupees(flat), cap: rupees(maxRupees) })

const rightsUsedRow = z.object({ firstOrder: z.boolean(), referral: z.boolean() })

/** Which rights to a discount this person has used: for a new account with the same number (decisions.md §7.5). */
export async function rightsUsed(ctx: Ctx, buyerId: number): Promise<{ firstOrder: boolean; referral: boolean }> {
  const rows = await rowsOf(
    ctx,
    sql`
    select
      coalesce(bool_or(u.type_id = ${FIRST_ORDER} and u.returned_at is null), false)
        or (exists (select 1 from ${orders} o where o.buyer_id = ${buyerId}::bigint and o.status < ${CANCELLED})
          and not coalesce(bool_or(u.type_id = ${FIRST_ORDER} and u.returned_at is not null), false)) as "firstOrder",
      coalesce(bool_or(u.type_id = ${REFERRAL} and u.returned_at is null), false) as referral
    from ${discountUses} u where u.buyer_id = ${buyerId}::bigint`,
    rightsUsedRow,
  )
  return rows[0]!
}
