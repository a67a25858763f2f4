import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { FIRST_ORDER, REFERRAL, type DiscountOffer } from '#src/cart/rules.ts'
import { erasedPhones } from '#src/accounts/tables.ts'
import type { Ctx } from '#src/kit/context.ts'
import { rupees } from '#src/kit/time-money/money.ts'
import { oneRowOf } from '#src/kit/db/rows.server.ts'
import { currentSettings, settingsFrom } from '#src/kit/records/settings.server.ts'
import type { DiscountSetting, MarketSettings } from '#src/kit/settings.ts'
import { CANCELLED } from '../process.server.ts'
import { discountUses, orders } from '../tables.ts'

/** Format of the specification (B §7): ten letters or digits. */
export const REFERRAL_CODE = /^[A-Za-z0-9]{10}$/

interface FoundDiscount {
  offer: DiscountOffer | null
  /** The owner of the code in the cart. It counts for their bonus even when the first-order discount or none applies. */
  referrerId: number | null
  settings: MarketSettings
}

const findDiscountRow = z.object({
  hasOrders: z.boolean(),
  isFirstUsed: z.boolean(),
  isFirstReturned: z.boolean(),
  isReferralUsed: z.boolean(),
  referrerId: z.number().nullable(),
  settings: z.unknown(),
})

/**
 * The one discount that applies to the viewer now: the first-order discount if they have it, else that of the referral code; and the
 * settings that it was computed from. Unknown, own and used codes all give no offer. Each discount is in use at most once; an order that is
 * called off returns it each time (decisions.md §7.4). Discounts that the phone number used before an erased account count, too (§7.5).
 * Call it again inside the transaction that places the order.
 */
export async function findDiscount(ctx: Ctx, code: string): Promise<FoundDiscount> {
  const buyerId = ctx.viewer!.id
  const { hasOrders, isFirstUsed, isFirstReturned, isReferralUsed, referrerId, ...found } = await oneRowOf(
    ctx,
    sql`
    select
      exists (select 1 from ${orders} o where o.buyer_id = ${buyerId}::bigint and o.status < ${CANCELLED}) as "hasOrders",
      coalesce(bool_or(u.type_id = ${FIRST_ORDER} and u.returned_at is null), false)
        or exists (select 1 from ${erasedPhones} e where e.user_id = ${buyerId}::bigint and e.had_first_order) as "isFirstUsed",
      coalesce(bool_or(u.type_id = ${FIRST_ORDER} and u.returned_at is not null), false) as "isFirstReturned",
      coalesce(bool_or(u.type_id = ${REFERRAL} and u.returned_at is null), false)
        or exists (select 1 from ${erasedPhones} e where e.user_id = ${buyerId}::bigint and e.had_referral) as "isReferralUsed",
      (select r.id::int from users r where r.referral_code = ${REFERRAL_CODE.test(code) ? code.toUpperCase() : null}::text
        and r.is_active and r.erased_at is null and r.id <> ${buyerId}::bigint) as "referrerId",
      ${currentSettings(ctx)} as settings
    from ${discountUses} u where u.buyer_id = ${buyerId}::bigint`,
    findDiscountRow,
  )
  const settings = settingsFrom(found.settings)
  const { firstOrderDiscount, referralDiscount } = settings
  // A returned first-order discount is available even when another order of the same cart stands.
  const isFirst = !isFirstUsed && (!hasOrders || isFirstReturned)
  if (isFirst && isWorth(firstOrderDiscount))
    return { offer: { typeId: FIRST_ORDER, ...inMoney(firstOrderDiscount) }, referrerId, settings }
  const isReferral = referrerId !== null && !isReferralUsed && isWorth(referralDiscount)
  return { offer: isReferral ? { typeId: REFERRAL, ...inMoney(referralDiscount) } : null, referrerId, settings }
}

const isWorth = ({ percent, rupees: flat, maxRupees }: DiscountSetting) => (percent > 0 || flat > 0) && maxRupees > 0
const inMoney = ({ percent, rupees: flat, maxRupees }: DiscountSetting) => ({ percent, flat: rupees(flat), cap: rupees(maxRupees) })

const rightsUsedRow = z.object({ firstOrder: z.boolean(), referral: z.boolean() })

/** The discounts that this person has used, for a new account with the same phone number (decisions.md §7.5). */
export async function rightsUsed(ctx: Ctx, buyerId: number): Promise<{ firstOrder: boolean; referral: boolean }> {
  return oneRowOf(
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
}
