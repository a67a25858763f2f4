import { and, inArray, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { requireCan } from '#src/accounts/policy.ts'
import type { Ctx } from '#src/kit/context.ts'
import { audit } from '#src/kit/records/audit.server.ts'
import { epochMs, momentShape, moneyShape, oneRowOf, rowsOf } from '#src/kit/db/rows.server.ts'
import type { Sort } from '#src/ui/desk-query.ts'
import { orderConditions, type OrderFilters } from '../queries.server.ts'
import { isUnpaid, stalledCondition, orderViews, viewCondition, type OrderView } from '../order-conditions.ts'
import { orders } from '../tables.ts'

export const orderSorts = ['late', 'order', 'status', 'day', 'amount'] as const
type OrderSort = (typeof orderSorts)[number]

export const ORDERS_AT_DESK = 50

type OrderTableChoices = Omit<OrderFilters, 'afterId' | 'buyerId'> & {
  sort: Sort<OrderSort>
  /** Starts at 1. */
  page: number
  /** These orders instead of those that the filters find. */
  ids?: number[]
}

/** Late and stalled orders first, then by day, then the oldest. */
function orderOf({ by, isDown }: Sort<OrderSort>, now: Date): SQL {
  const end = sql.raw(isDown ? 'desc nulls last' : 'asc nulls last')
  switch (by) {
    case 'late':
      return sql`${stalledCondition(now)} desc, orders.deliver_on asc nulls last, orders.id`
    case 'order':
      return sql`orders.id ${sql.raw(isDown ? 'desc' : 'asc')}`
    case 'status':
      return sql`orders.status ${end}, orders.id`
    case 'day':
      return sql`orders.deliver_on ${end}, orders.id`
    case 'amount':
      return sql`(orders.unit_price * orders.count - orders.discount) ${end}, orders.id`
  }
}

const tableRow = z.object({
  id: z.number(),
  orderNo: z.string(),
  status: z.number(),
  count: z.number(),
  name: z.string(),
  nameEn: z.string().nullable(),
  payable: moneyShape,
  placedAt: momentShape,
  changedAt: momentShape,
  deliverOn: z.string().nullable(),
  deliverWindow: z.enum(['morning', 'midday', 'evening']).nullable(),
  bearerId: z.number().nullable(),
  listedBearerId: z.number().nullable(),
  buyer: z.string(),
  seller: z.string(),
  sellerId: z.number(),
  owner: z.string().nullable(),
  pickupPlace: z.string(),
  deliveryPlace: z.string(),
  bearer: z.string().nullable(),
  isSellerActive: z.boolean(),
  isUnpaid: z.boolean(),
  found: z.number(),
})
export type OrderTableRow = z.output<typeof tableRow>

/** One page of the desk's table, and the number of orders in the view. Runs one statement and one audit entry. */
export async function readOrderTable(ctx: Ctx, choices: OrderTableChoices): Promise<{ rows: OrderTableRow[]; found: number }> {
  requireCan(ctx, 'operate')
  await audit(ctx, 'sensitive_read', 'orders:all', { what: 'orders' })
  const { ids } = choices
  const conditions = ids ? [inArray(orders.id, ids)] : orderConditions(ctx, { ...choices, buyerId: null })
  const where = and(...conditions) ?? sql`true`
  const rows = await rowsOf(
    ctx,
    sql`
    with page as materialized (
      select orders.id, row_number() over (order by ${orderOf(choices.sort, ctx.now)}) as place from orders where ${where}
      order by place limit ${ORDERS_AT_DESK} offset ${(choices.page - 1) * ORDERS_AT_DESK}
    )
    select orders.id::int, orders.order_no as "orderNo", orders.status, orders.count, orders.animal->>'name' as name,
      orders.animal->>'nameEn' as "nameEn",
      (orders.unit_price * orders.count - orders.discount)::text as payable, ${epochMs(sql`orders.created_at`)} as "placedAt",
      ${epochMs(sql`orders.changed_at`)} as "changedAt", orders.deliver_on::text as "deliverOn", orders.deliver_window as "deliverWindow",
      orders.bearer_id::int as "bearerId", orders.listed_bearer_id::int as "listedBearerId", buyer.name as buyer, seller.name as seller,
      orders.seller_id::int as "sellerId", orders.animal->>'ownerName' as owner,
      orders.pickup->>'district' as "pickupPlace", orders.delivery->>'district' as "deliveryPlace",
      coalesce(nullif(listed.name, ''), carrier.name) as bearer, seller.is_active as "isSellerActive", ${isUnpaid} as "isUnpaid",
      (select count(*)::int from orders where ${where}) as found
    from page
    join orders on orders.id = page.id
    join users buyer on buyer.id = orders.buyer_id
    join users seller on seller.id = orders.seller_id
    left join users carrier on carrier.id = orders.bearer_id
    left join bearers listed on listed.id = orders.listed_bearer_id
    order by page.place`,
    tableRow,
  )
  return { rows, found: rows[0]?.found ?? 0 }
}

/** Counts of all saved views except `all`, in one statement over the indexes of open orders. */
export async function countOrderViews(ctx: Ctx): Promise<Partial<Record<OrderView, number>>> {
  requireCan(ctx, 'operate')
  const counted = orderViews.filter((view) => view !== 'all')
  const counts = counted.map(
    (view) => sql`(select count(*)::int from orders where ${viewCondition(view, ctx.now)}) as ${sql.identifier(view)}`,
  )
  const shape = z.object(Object.fromEntries(counted.map((view) => [view, z.number()])) as Record<OrderView, z.ZodNumber>)
  return oneRowOf(ctx, sql`select ${sql.join(counts, sql`, `)}`, shape)
}
