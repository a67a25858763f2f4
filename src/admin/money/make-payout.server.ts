import { sql, type SQL } from 'drizzle-orm'
import { requireCan } from '#src/accounts/policy.ts'
import { invalidField, Problem } from '#src/kit/base/problem.ts'
import type { Ctx } from '#src/kit/context.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { rowsOf } from '#src/kit/db/rows.server.ts'
import { audit } from '#src/kit/records/audit.server.ts'
import { formatRupees, type Money } from '#src/kit/time-money/money.ts'
import { m } from '#src/paraglide/messages.js'
import { findPayees, maskedPayee, sealPayee } from '#src/selling/earnings/payees.server.ts'
import { isPayable, isSale, saleColumns, sales, saleShape, type Sale } from '#src/selling/earnings/sales.server.ts'
import { payoutLines, payouts, type PayoutSale } from '#src/selling/tables.ts'
import { downToPaisa, settlesIt } from './settle.server.ts'

export const MAX_PAYOUT_SELLERS = 500

interface ChosenSeller {
  id: number
  /** The sum that the admin saw. */
  seen?: Money
}

/**
 * Freezes what each of these sellers gets: all their sales with a recorded payment and a balance, with one sum per
 * seller. Leaves out a seller without an account, without anything due, or in another open payout, and says how many.
 * Raises VERSION when another sum is due than the admin saw, VALIDATION when nobody is left, and ROLE_FORBIDDEN.
 */
export async function makePayout(ctx: Ctx, sellers: ChosenSeller[]): Promise<{ id: number; leftOut: number }> {
  const { id: byId } = requireCan(ctx, 'operate')
  if (sellers.length === 0 || sellers.length > MAX_PAYOUT_SELLERS) throw invalidField('sellers', 'field_payout_none')
  return inTransaction(ctx, async (ctx) => {
    await lockPayouts(ctx)
    const payees = await findPayees(
      ctx,
      sellers.map(({ id }) => id),
    )
    const found = await lockPayable(ctx, [...payees.keys()])
    const [payout] = await ctx.db.insert(payouts).values({ byId, at: ctx.now }).returning({ id: payouts.id })
    const { id } = payout!
    let made = 0
    for (const { id: sellerId, seen } of sellers) {
      const payee = payees.get(sellerId)?.payee
      const due = found.get(sellerId) ?? []
      const line = lineOf(due)
      if (!payee || line.amount <= 0n) continue
      if (seen !== undefined && seen !== line.amount) throw sumChanged(due[0]!.sellerName, line.amount)
      const [inserted] = await ctx.db
        .insert(payoutLines)
        .values({ ...line, payoutId: id, sellerId, payeeSealed: sealPayee(ctx, payee), account: maskedPayee(payee) })
        .onConflictDoNothing({ target: payoutLines.sellerId, where: sql`state = 'open'` })
        .returning({ id: payoutLines.id })
      if (inserted) made++
    }
    if (made === 0) throw invalidField('sellers', 'field_payout_none')
    await audit(ctx, 'payout_made', `payout:${id}`, { count: made })
    return { id, leftOut: sellers.length - made }
  })
}

const sumChanged = (name: string, amount: Money) =>
  new Problem('VERSION', { sentence: (locale) => m.payout_sum_changed({ name, amount: formatRupees(amount) }, { locale }) })

/** One admin at a time makes or decides payouts. */
export const lockPayouts = (ctx: Ctx) => ctx.db.execute(sql`select pg_advisory_xact_lock(hashtext('payouts'))`)

/**
 * The payable sales of these sellers. Locks their commission invoices and reads again, so that an entry by hand comes either
 * before and counts here, or after and is refused because of the payout (invoices/commands.server.ts).
 */
async function lockPayable(ctx: Ctx, sellerIds: number[]): Promise<Map<number, Sale[]>> {
  const seen = await readPayable(ctx, sql`o.seller_id = any(${sql.param(sellerIds)}::bigint[])`)
  const invoiceIds = sql.param(seen.map(({ invoiceId }) => invoiceId))
  await ctx.db.execute(sql`select 1 from invoices where id = any(${invoiceIds}::bigint[]) order by id for update`)
  const orderIds = sql.param(seen.map(({ orderId }) => orderId))
  const found = await readPayable(ctx, sql`o.id = any(${orderIds}::bigint[])`)
  return Map.groupBy(found, ({ sellerId }) => sellerId)
}

const readPayable = (ctx: Ctx, where: SQL) =>
  rowsOf(ctx, sql`select ${saleColumns} from ${sales(sql`${isSale} and ${where}`)} s where ${isPayable}`, saleShape)

/**
 * One payment for these sales: the sum of their balances, rounded down to the paisa. The fraction stays open on the
 * largest sale and belongs to the next payout.
 */
function lineOf(found: Sale[]): { amount: Money; sales: PayoutSale[] } {
  const sum = found.reduce((total, { balance }) => total + balance, 0n)
  const amount = downToPaisa(sum)
  const largest = found.toSorted((a, b) => Number(settlesIt(b) - settlesIt(a)))[0]
  const entries = found.map((sale) => ({
    invoiceId: sale.invoiceId,
    orderId: sale.orderId,
    amount: String(settlesIt(sale) - (sale === largest ? sum - amount : 0n)),
    seen: sale.entry?.id ?? 0,
  }))
  // `settleSales` locks in the same order.
  entries.sort((a, b) => a.invoiceId - b.invoiceId)
  return { amount, sales: entries }
}
