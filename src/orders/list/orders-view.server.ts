import { can } from '#src/accounts/policy.ts'
import type { Ctx } from '#src/kit/context.ts'
import type { FormPage, PageArgs } from '#src/kit/http/page.server.ts'
import { COUNT_UP_TO } from '#src/kit/http/pagination.ts'
import { fileRefusal } from '#src/kit/problem-text.ts'
import { parseId } from '#src/kit/ids.ts'
import { findExpectedDaysOf } from '#src/orders/checkout/expected-days.server.ts'
import { shownOrder } from '#src/orders/card/order-view.server.ts'
import { readOrderDesk } from './order-desk.server.ts'
import { filtersIn } from './order-filters.server.ts'
import { listOrders, listToBring, noFilters, type Order } from '../queries.server.ts'
import { isTerminal } from '../process.server.ts'
import { listOrderedLines } from './ordered-lines.server.ts'

/** The result of the last form, in the address. */
const DONE = ['cancelled', 'ended', 'undone', 'saved', 'planned', 'refused', 'paid'] as const

export type Done = (typeof DONE)[number]

/** 'Your Orders' of B §2; admins see all orders here. */
export async function readOrders(ctx: Ctx, { url, site }: PageArgs) {
  const shared = { phone: site.contact.phone }
  const { viewer } = ctx
  if (!viewer) return { ...shared, kind: 'logged-out' as const }
  const query = url.searchParams
  const done = DONE.find((each) => each === query.get('done')) ?? null
  const csvRefused = fileRefusal(query.get('csv'), ctx.locale, 'PASSWORD_WRONG')
  if (can(viewer, 'operate'))
    return {
      ...shared,
      kind: 'desk' as const,
      ...(await readOrderDesk(ctx, query)),
      done,
      ofId: parseId(query.get('of') ?? ''),
      csvRefused,
    }
  const { afterId } = filtersIn(query)
  const page = await listOrders(ctx, { ...noFilters, afterId, buyerId: viewer.id })
  const days = await findExpectedDaysOf(ctx, waitingFor(page.orders))
  return {
    ...shared,
    kind: 'list' as const,
    buys: can(viewer, 'buy'),
    // Also for former sellers while they have orders.
    sells: can(viewer, 'sell') || (await listOrderedLines(ctx, viewer.id, { top: 0 })).count > 0,
    orders: page.orders.map((order) => shownOrder(ctx, order, days.get(order.id))),
    count: page.count,
    countsUpTo: COUNT_UP_TO,
    next: page.nextAfterId,
    isFirstPage: afterId === null,
    toBring: (await listToBring(ctx)).map((order) => shownOrder(ctx, order)),
    done,
  }
}

/** Open orders without a planned day. */
const waitingFor = (orders: Order[]) =>
  orders.filter(({ status, deliverOn }) => deliverOn === null && !isTerminal(status)).map(({ id }) => id)

export type OrdersDeskData = Extract<FormPage<typeof readOrders>, { kind: 'desk' }>
