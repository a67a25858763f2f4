import { sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { settlementKinds, settlementMethods, type Settlement } from '#src/invoices/rules.ts'
import { longShape } from '#src/kit/db/rows.server.ts'
import type { Money } from '#src/kit/time-money/money.ts'
import { DELIVERED } from '#src/orders/process.server.ts'
import { paymentMethods } from '#src/orders/rules.ts'
import type { AnimalSnapshot } from '#src/orders/tables.ts'

/**
 * The money of orders, one row per order, in 1/10,000 rupee: the one statement behind every list and sum of money. `saleMoney`
 * (invoices/sale-money.ts) computes the same in TypeScript, and money-views.db.test.ts compares the two.
 *
 * - `held`: cash that the seller took from the buyer because they delivered the animal themselves. UPI always goes to Sandhai.
 * - `settled`: the amount paid to the seller, by the entry that counts; a sale settled before entries were stored counts as paid in full.
 * - `balance`: what Sandhai owes the seller; below 0 the seller owes Sandhai.
 */
export const sales = (where: SQL): SQL => sql`(
  select o.id, o.order_no, o.seller_id, o.bearer_id, o.listed_bearer_id, o.status, o.animal, o.count, o.unit_price, o.discount, o.discount_type,
    o.commission_percent, o.delivered_on, o.payment_method, o.amount_paid, o.deliver_on,
    t.total, t.total - o.discount as payable, c.commission, t.total - c.commission as due, h.held,
    i.id as invoice_id, i.number as invoice_no, i.settled_at, s.id as settlement_id, s.kind as entry_kind, s.amount as entry_amount, s.method as entry_method,
    s.reference as entry_reference, s.paid_on as entry_paid_on, s.note as entry_note, p.settled, t.total - c.commission - h.held - p.settled as balance
  from orders o
  cross join lateral (select o.unit_price * o.count as total) t
  cross join lateral (select (t.total * o.commission_percent + 5000) / 10000 * 100 as commission) c
  cross join lateral (select case when o.payment_method = 'cash' and o.bearer_id = o.seller_id then o.amount_paid else 0 end as held) h
  left join invoices i on i.order_id = o.id and i.kind = 'commission'
  left join lateral (select * from settlements e where e.invoice_id = i.id order by e.id desc limit 1) s on true
  cross join lateral (select case when s.kind = 'paid' then s.amount when s.kind = 'received' then -s.amount when s.kind = 'back' then 0
    when i.settled_at is not null then t.total - c.commission - h.held else 0 end as settled) p
  where ${where})`

/** Only a delivered order is a sale. */
export const isSale = sql`o.status = ${DELIVERED}`

/** Deliveries in a calendar month, `2026-11`. */
export const deliveredIn = (month: string): SQL =>
  sql`o.delivered_on >= ${`${month}-01`}::date and o.delivered_on < ${`${month}-01`}::date + interval '1 month'`

const amounts = ['total', 'discount', 'commission', 'due', 'held', 'settled', 'balance'] as const
type Amount = (typeof amounts)[number]

/** The number of sales, and the sum of each amount. */
export interface SaleSums extends Record<Amount, Money> {
  sales: number
}

/** Select list over `sales`. */
export const saleSums: SQL = sql.join(
  [sql`count(*)::int as sales`, ...amounts.map((name) => sql`coalesce(sum(${sql.identifier(name)}), 0)::text as ${sql.identifier(name)}`)],
  sql`, `,
)
export const saleSumsShape = {
  sales: z.number(),
  ...(Object.fromEntries(amounts.map((name) => [name, longShape])) as Record<Amount, typeof longShape>),
}

export const readSums = (row: Record<Amount, string | number> & { sales: number }): SaleSums => ({
  sales: row.sales,
  ...(Object.fromEntries(amounts.map((name) => [name, BigInt(row[name])])) as Record<Amount, Money>),
})

export interface Sale extends Record<Amount, Money> {
  orderId: number
  orderNo: string
  sellerId: number
  /** Empty for an erased person. */
  sellerName: string
  animal: AnimalSnapshot
  count: number
  unitPrice: Money
  discountType: number | null
  payable: Money
  commissionPercent: number
  /** Indian calendar day. */
  deliveredOn: string
  invoiceNo: string
  /** Null: nobody has stated the payment yet. */
  collected: { method: (typeof paymentMethods)[number]; amount: Money; byName: string | null } | null
  /** The latest entry, which may revoke the one before. Null: nothing is paid, or it was paid before entries were stored. */
  entry: Settlement | null
  invoiceId: number
  /** A payment is recorded and not revoked. */
  isSettled: boolean
}

/** The columns of a `Sale`, from `sales` as `s`. */
export const saleColumns: SQL = sql`s.id::float8 as id, s.order_no, s.seller_id::float8 as seller_id, (select u.name from users u where u.id = s.seller_id) as seller_name, s.animal, s.count, s.unit_price::text as unit_price,
  s.discount_type, s.payable::text as payable, s.commission_percent, s.delivered_on::text as delivered_on, s.invoice_no, s.payment_method,
  s.amount_paid::text as amount_paid, s.bearer_id::float8 as bearer_id, coalesce((select b.name from bearers b where b.id = s.listed_bearer_id), (select u.name from users u where u.id = s.bearer_id)) as bearer_name,
  s.invoice_id::float8 as invoice_id, s.settlement_id::float8 as settlement_id, s.entry_kind, s.entry_note, s.entry_amount::text as entry_amount, s.entry_method, s.entry_reference, s.entry_paid_on::text as entry_paid_on, (s.settled_at is not null and s.entry_kind is distinct from 'back') as is_settled,
  ${sql.join(
    amounts.map((name) => sql`s.${sql.identifier(name)}::text as ${sql.identifier(name)}`),
    sql`, `,
  )}`

export const saleShape = z.object({
  id: z.number(),
  order_no: z.string(),
  seller_id: z.number(),
  seller_name: z.string(),
  animal: z.custom<AnimalSnapshot>(),
  count: z.number(),
  unit_price: z.string(),
  discount_type: z.number().nullable(),
  payable: z.string(),
  commission_percent: z.number(),
  delivered_on: z.string(),
  invoice_no: z.string(),
  payment_method: z.enum(paymentMethods).nullable(),
  amount_paid: z.string().nullable(),
  bearer_id: z.number().nullable(),
  bearer_name: z.string().nullable(),
  invoice_id: z.number(),
  settlement_id: z.number().nullable(),
  entry_kind: z.enum(settlementKinds).nullable(),
  entry_note: z.string().nullable(),
  entry_amount: z.string().nullable(),
  entry_method: z.enum(settlementMethods).nullable(),
  entry_reference: z.string().nullable(),
  entry_paid_on: z.string().nullable(),
  is_settled: z.boolean(),
  ...(Object.fromEntries(amounts.map((name) => [name, z.string()])) as Record<Amount, z.ZodString>),
})

export const readSale = (row: z.output<typeof saleShape>): Sale => ({
  ...(Object.fromEntries(amounts.map((name) => [name, BigInt(row[name])])) as Record<Amount, Money>),
  orderId: row.id,
  orderNo: row.order_no,
  sellerId: row.seller_id,
  sellerName: row.seller_name,
  animal: row.animal,
  count: row.count,
  unitPrice: BigInt(row.unit_price),
  discountType: row.discount_type,
  payable: BigInt(row.payable),
  commissionPercent: row.commission_percent,
  deliveredOn: row.delivered_on,
  invoiceNo: row.invoice_no,
  collected: row.payment_method === null ? null : { method: row.payment_method, amount: BigInt(row.amount_paid!), byName: row.bearer_name },
  entry: entryOf(row),
  invoiceId: row.invoice_id,
  isSettled: row.is_settled,
})

function entryOf(row: z.output<typeof saleShape>): Settlement | null {
  if (row.settlement_id === null) return null
  return {
    id: row.settlement_id,
    kind: row.entry_kind!,
    amount: BigInt(row.entry_amount!),
    method: row.entry_method!,
    reference: row.entry_reference!,
    paidOn: row.entry_paid_on!,
    note: row.entry_note!,
  }
}
