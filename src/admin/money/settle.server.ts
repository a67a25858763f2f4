import { requireOwnPassword } from '#src/accounts/identity/login.server.ts'
import { requireCan } from '#src/accounts/policy.ts'
import { settleInvoice, takeSettlementBack } from '#src/invoices/commands.server.ts'
import type { Settlement } from '#src/invoices/rules.ts'
import type { Ctx } from '#src/kit/context.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { notFound, invalidField } from '#src/kit/base/problem.ts'
import type { Money } from '#src/kit/time-money/money.ts'
import type { Sale } from '#src/selling/earnings/sales.server.ts'
import { findSales } from './owed.server.ts'

interface SettledSale {
  orderId: number
  /** The form's field that a refusal of the amount names; `amount` without it. */
  field?: string
  /** The total paid for this sale, including earlier entries. */
  amount: Money
  /** The id of the last entry that the admin was shown; 0 without one. */
  seen: number
}

/** One payment between Sandhai and a seller; it can settle many sales. */
export interface SellerPayment extends Pick<Settlement, 'method' | 'reference' | 'paidOn' | 'note'> {
  sales: SettledSale[]
  password?: string | undefined
}

/** In 1/10,000 rupee. */
const PAISA = 100n

/** The amount that settles a sale; negative when the seller pays Sandhai. */
export const settlesIt = ({ due, held }: Pick<Sale, 'due' | 'held'>): Money => due - held

/**
 * Records that sales of one seller are settled, all or none. An amount other than `settlesIt` needs a note and the admin's password. Raises
 * NOT_FOUND, VERSION, VALIDATION, PASSWORD_WRONG, ROLE_FORBIDDEN.
 */
export async function settleSales(ctx: Ctx, sellerId: number, { sales: chosen, password, ...payment }: SellerPayment): Promise<void> {
  requireCan(ctx, 'operate')
  if (chosen.length === 0) throw invalidField('sale', 'field_settle_none')
  const found = await findSales(
    ctx,
    sellerId,
    chosen.map(({ orderId }) => orderId),
  )
  const entries = chosen.map(({ orderId, field = 'amount', ...entry }) => {
    const sale = found.get(orderId)
    if (!sale) throw notFound()
    if (entry.amount > sale.total) throw invalidField(field, 'field_settle_more')
    const due = absolute(settlesIt(sale))
    return { ...entry, sale, isUsual: entry.amount === due || entry.amount === downToPaisa(due) }
  })
  if (!entries.every(({ isUsual }) => isUsual)) {
    if (payment.note === '') throw invalidField('note', 'field_settle_note')
    await requireOwnPassword(ctx, password)
  }
  await inTransaction(ctx, async (ctx) => {
    // Lock in a fixed order, so that two admins with the same sales do not deadlock.
    for (const { sale, amount, seen } of entries.toSorted((a, b) => a.sale.invoiceId - b.sale.invoiceId))
      await settleInvoice(ctx, sale.invoiceId, { ...payment, amount, seen, kind: settlesIt(sale) < 0n ? 'received' : 'paid' })
  })
}

interface Reversal {
  /** The last entry that the admin was shown. */
  seen: number
  note: string
  password: string | undefined
}

/**
 * Reverses the recorded entry of a sale, with the admin's password, because it makes the money open again. Raises NOT_FOUND, VERSION,
 * PASSWORD_WRONG, ROLE_FORBIDDEN.
 */
export async function takeSaleBack(ctx: Ctx, sellerId: number, orderId: number, { password, ...entry }: Reversal): Promise<void> {
  const sale = (await findSales(ctx, sellerId, [orderId])).get(orderId)
  if (!sale) throw notFound()
  await requireOwnPassword(ctx, password)
  await takeSettlementBack(ctx, sale.invoiceId, entry)
}

/** The largest amount of whole paise that is not above this one; what is left belongs to the next payment. */
export const downToPaisa = (money: Money): Money => money - (((money % PAISA) + PAISA) % PAISA)

export const absolute = (money: Money): Money => (money < 0n ? -money : money)
