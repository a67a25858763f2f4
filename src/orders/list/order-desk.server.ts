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
import { countedName } from '../order-names.ts'
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
  const number = ORDER_NUMBER.exec(query.get('order') ?? '') ?? (rows.length === 1 ? ORDER_NUMBER.exec(rows[0]!.orderNo) : null)
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
  const { id, orderNo, status, bearer, isUnpaid } = row
  const erased = m.profile_deleted_user({}, { locale })
  const isOver = isTerminal(status)
  return {
    id,
    orderNo,
    status,
    bearer,
    isUnpaid,
    isOver,
    name: countedName(row, locale),
    statusName: statusName(status, locale),
    look: statusLook(status),
    buyer: row.buyer || erased,
    seller: listedFor(`${row.seller || erased} #${row.sellerId}`, row.owner, locale),
    way: [row.pickupPlace, row.deliveryPlace].map((place) => (place ? placeName(place, locale) : '')).join(' → '),
    when: row.deliverOn === null ? null : shownWhenOf(row, locale),
    payable: formatRupees(row.payable),
    placed: formatDay(row.placedAt, locale),
    age: isOver ? null : ageInStatus(row, ctx.now),
    isSellerGone: !row.isSellerActive && !isOver,
    seen: planOf(row),
  }
}
export type OrderDesk = Awaited<ReturnType<typeof readOrderDesk>>
