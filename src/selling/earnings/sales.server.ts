import { sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { settlementKinds, settlementMethods, type Settlement } from '#src/invoices/rules.ts'
import { moneyShape } from '#src/kit/db/rows.server.ts'
import { DELIVERED } from '#src/orders/process.server.ts'
import { paymentMethods } from '#src/orders/rules.ts'
import type { AnimalSnapshot } from '#src/orders/tables.ts'

/**
 * The money of orders, one row per order, in 1/10,000 rupee: the one statement behind every list and sum of money. `saleMoney`
 * (invoices/sale-money.ts) computes the same in TypeScript, and money-views.db.test.ts compares the two.
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

/** Over `sales` as `s`: a payout pays this sale. One whose payment nobody recorded waits. */
export const isPayable = sql`(s.balance <> 0 and s.payment_method is not null)`

/** Deliveries in a calendar month, `2026-11`. */
export const deliveredIn = (month: string): SQL =>
  sql`o.delivered_on >= ${`${month}-01`}::date and o.delivered_on < ${`${month}-01`}::date + interval '1 month'`

const amounts = {
  total: moneyShape,
  discount: moneyShape,
  commission: moneyShape,
  due: moneyShape,
  held: moneyShape,
  settled: moneyShape,
  balance: moneyShape,
}
const amountNames = Object.keys(amounts).map((name) => sql.identifier(name))

/** Select list over `sales`. */
export const saleSums: SQL = sql.join(
  [sql`count(*)::int as sales`, ...amountNames.map((name) => sql`coalesce(sum(${name}), 0)::text as ${name}`)],
  sql`, `,
)
/** The number of sales, and the sum of each amount. */
export const saleSumsShape = z.object({ sales: z.number(), ...amounts })
export type SaleSums = z.output<typeof saleSumsShape>

/** The columns of a `Sale`, from `sales` as `s`. */
export const saleColumns: SQL = sql.join(
  [
    sql`s.id::float8 as "orderId", s.order_no as "orderNo", s.seller_id::float8 as "sellerId",
      (select u.name from users u where u.id = s.seller_id) as "sellerName", s.animal, s.count, s.unit_price::text as "unitPrice",
      s.discount_type as "discountType", s.payable::text as payable, s.commission_percent as "commissionPercent",
      s.delivered_on::text as "deliveredOn", s.invoice_no as "invoiceNo", s.invoice_id::float8 as "invoiceId",
      case when s.payment_method is not null then json_build_object('method', s.payment_method, 'amount', s.amount_paid::text, 'byName',
        coalesce((select b.name from bearers b where b.id = s.listed_bearer_id), (select u.name from users u where u.id = s.bearer_id))) end as collected,
      case when s.settlement_id is not null then json_build_object('id', s.settlement_id, 'kind', s.entry_kind, 'amount', s.entry_amount::text,
        'method', s.entry_method, 'reference', s.entry_reference, 'paidOn', s.entry_paid_on, 'note', s.entry_note) end as entry,
      (s.settled_at is not null and s.entry_kind is distinct from 'back') as "isSettled"`,
    ...amountNames.map((name) => sql`s.${name}::text as ${name}`),
  ],
  sql`, `,
)

const entryShape: z.ZodType<Settlement> = z.object({
  id: z.number(),
  kind: z.enum(settlementKinds),
  amount: moneyShape,
  method: z.enum(settlementMethods),
  reference: z.string(),
  paidOn: z.string(),
  note: z.string(),
})

export const saleShape = z.object({
  ...amounts,
  orderId: z.number(),
  orderNo: z.string(),
  sellerId: z.number(),
  /** Empty for an erased person. */
  sellerName: z.string(),
  animal: z.custom<AnimalSnapshot>(),
  count: z.number(),
  unitPrice: moneyShape,
  discountType: z.number().nullable(),
  payable: moneyShape,
  commissionPercent: z.number(),
  /** Indian calendar day. */
  deliveredOn: z.string(),
  invoiceId: z.number(),
  invoiceNo: z.string(),
  /** Null: nobody has stated the payment yet. */
  collected: z.object({ method: z.enum(paymentMethods), amount: moneyShape, byName: z.string().nullable() }).nullable(),
  /** The latest entry, which may revoke the one before. Null: nothing is paid, or it was paid before entries were stored. */
  entry: entryShape.nullable(),
  /** A payment is recorded and not revoked. */
  isSettled: z.boolean(),
})
export type Sale = z.output<typeof saleShape>
