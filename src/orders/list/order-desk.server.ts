import { placeName } from '#src/addresses/places.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { Problem } from '#src/kit/base/problem.ts'
import { formatDay, indianDay } from '#src/kit/time-money/dates.ts'
import { formatRupees } from '#src/kit/time-money/money.ts'
import { listedFor } from '#src/listings/reference/lookups.server.ts'
import { m } from '#src/paraglide/messages.js'
import { readPageNumber, readSort } from '#src/ui/desk-query.ts'
import { listBearers } from '#src/orders/bearers/bearers.server.ts'
import { lastPlanDay, planOf } from '#src/orders/steps/handover.server.ts'
import { shownWhenOf } from '../order-messages.server.ts'
import { shownOrder, type ShownOrder } from '#src/orders/card/order-view.server.ts'
import { getOrder, noFilters } from '../queries.server.ts'
import { isTerminal, orderStatuses, statusLook, statusName, steps } from '../process.server.ts'
import { ageInStatus } from '../order-conditions.ts'
import type { BulkResult } from './bulk.server.ts'
import { filterQuery, filtersIn } from './order-filters.server.ts'
import { countOrderViews, ORDERS_AT_DESK, orderSorts, readOrderTable, type OrderTableRow } from './order-table.server.ts'

const ORDER_NUMBER = /^sn-0*([1-9]\d{0,8})$/i

/** A saved view of all orders, for admins, and the order that is open beside it. */
export async function readOrderDesk(ctx: Ctx, query: URLSearchParams) {
  const filters = filtersIn(query)
  const isPlain = filterQuery(filters) === '' && query.get('view') !== 'all'
  const view = isPlain ? ('open' as const) : filters.view
  const isWork = view !== 'all' && view !== 'refused'
  const sort = readSort(query.get('sort'), orderSorts, isWork ? { by: 'late', isDown: false } : { by: 'order', isDown: true })
  const page = readPageNumber(query.get('page'))
  const choices = { ...filters, view, sort, page }
  const { rows, found } = await readOrderTable(ctx, choices)
  // A search that finds one order opens it.
  const number = ORDER_NUMBER.exec(query.get('order') ?? '') ?? (rows.length === 1 ? ORDER_NUMBER.exec(rows[0]!.order_no) : null)
  const isAsked = query.has('order') || filters.text.trim() !== ''
  const bearers = await listBearers(ctx)
  return {
    choices,
    query: filterQuery({ ...filters, view }),
    counts: await countOrderViews(ctx),
    rows: rows.map((row) => shownRow(ctx, row)),
    found,
    perPage: ORDERS_AT_DESK,
    open: number && isAsked ? await findShown(ctx, Number(number[1])) : null,
    bearers: bearers.filter(({ isActive }) => isActive).map(({ id, name }) => ({ id, name })),
    statuses: orderStatuses.map((status) => ({ id: status.id, name: status[ctx.locale] })),
    bulkSteps: steps.flatMap(({ from, bulk }) =>
      bulk ? [{ act: bulk.act, from: from as readonly number[], text: bulk.text({}, { locale: ctx.locale }) }] : [],
    ),
    today: indianDay(ctx.now),
    lastDay: lastPlanDay(ctx.now),
  }
}

/** The orders of a bulk change: they may have left the view, and stay ticked for the next step. */
export async function readChanged(ctx: Ctx, results: BulkResult[]) {
  const ids = results.map(({ id }) => id)
  const { rows } = await readOrderTable(ctx, { ...noFilters, sort: { by: 'order', isDown: true }, page: 1, ids })
  return { results, rows: rows.map((row) => shownRow(ctx, row)) }
}
export type BulkDone = Awaited<ReturnType<typeof readChanged>>

/** Null when the address names an unknown order. */
async function findShown(ctx: Ctx, id: number): Promise<ShownOrder | null> {
  try {
    return shownOrder(ctx, await getOrder(ctx, id))
  } catch (error) {
    if (error instanceof Problem && error.code === 'NOT_FOUND') return null
    throw error
  }
}

function shownRow(ctx: Ctx, row: OrderTableRow) {
  const { locale } = ctx
  const name = (locale === 'en' ? row.name_en : null) ?? row.name
  const plan = { deliverOn: row.deliver_on, deliverWindow: row.deliver_window }
  const erased = m.profile_deleted_user({}, { locale })
  return {
    id: row.id,
    orderNo: row.order_no,
    status: row.status,
    statusName: statusName(row.status, locale),
    look: statusLook(row.status),
    isOver: isTerminal(row.status),
    name: row.count === 1 ? name : `${name}\u00a0×\u00a0${row.count}`,
    buyer: row.buyer || erased,
    seller: listedFor(row.seller || erased, row.owner, ctx.locale),
    way: [row.pickup_place, row.delivery_place].map((place) => (place ? placeName(place, locale) : '')).join(' → '),
    when: row.deliver_on === null ? null : shownWhenOf(plan, locale),
    bearer: row.bearer,
    payable: formatRupees(BigInt(row.payable)),
    placed: formatDay(new Date(row.placed), locale),
    age: isTerminal(row.status)
      ? null
      : ageInStatus({ status: row.status, changedAt: new Date(row.changed), deliverOn: row.deliver_on }, ctx.now),
    isUnpaid: row.is_unpaid,
    isSellerGone: !row.seller_active && !isTerminal(row.status),
    seen: planOf({ ...plan, bearerId: row.bearer_id, listedBearerId: row.listed_bearer_id }),
  }
}
export type OrderDesk = Awaited<ReturnType<typeof readOrderDesk>>
