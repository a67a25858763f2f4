import { redirect } from 'react-router'
import { pageQueryOf } from '#src/router-seams/data-url.ts'
import { can } from '#src/accounts/policy.ts'
import { settleInvoice } from '#src/invoices/commands.server.ts'
import { getInvoice } from '#src/invoices/queries.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { afterRefusalToo, keepWhenOffline } from '#src/kit/device/offline-form.ts'
import { localized } from '#src/kit/text/locale.ts'
import { formHeaders, formLoader, pageAction, asInternalProblem, textOf } from '#src/kit/http/page.server.ts'
import { COUNT_UP_TO } from '#src/kit/http/pagination.ts'
import { notFound, Problem, invalidField } from '#src/kit/base/problem.ts'
import { fileRefusal } from '#src/kit/problem-text.ts'
import { plainMeta } from '#src/kit/http/plain-meta.ts'
import { parseId } from '#src/kit/ids.ts'
import { m } from '#src/paraglide/messages.js'
import { settlement } from '#src/invoices/schemas.server.ts'
import { closeOrder, recordPayment } from '#src/orders/steps/closing.server.ts'
import { adminClosing, adminStep, deliveryPlan, seenStatus, adminEnd } from '#src/orders/steps/handover-schemas.server.ts'
import { planDelivery } from '#src/orders/steps/handover.server.ts'
import { bringAllTo, planAll, type BulkResult, type ChosenOrder } from './bulk.server.ts'
import { readChanged, readOrderDesk, type BulkDone } from './order-desk.server.ts'
import { ORDERS_AT_DESK } from './order-table.server.ts'
import { endOrder, undoEnd } from '#src/orders/steps/end-order.server.ts'
import { filtersIn } from './order-filters.server.ts'
import { findExpectedDaysOf } from '#src/orders/checkout/expected-days.server.ts'
import { shownOrder } from '#src/orders/card/order-view.server.ts'
import { listOrders, listToBring, noFilters, type Order } from '../queries.server.ts'
import { CANCELLED, CONFIRMED, DELIVERED, READY, isTerminal, ON_THE_WAY, isCalledOff } from '../rules.ts'
import { ignoreDuplicateSubmit } from '../ignore-duplicate-submit.server.ts'
import { takeStep, type StepInput } from '#src/orders/steps/take-step.server.ts'
import type { Route } from './+types/orders-page'
import { parseInput } from '#src/kit/parse-input.ts'
import { listOrderedLines } from './ordered-lines.server.ts'
import { OrdersView } from './orders-page-view.tsx'

/** The result of the last form, in the address. */
const DONE = ['cancelled', 'ended', 'undone', 'saved', 'planned', 'refused', 'settled', 'paid'] as const
export type Done = (typeof DONE)[number]

/** 'Your Orders' of B §2; admins see all orders here. */
export const loader = formLoader(async (ctx, { url, site }) => {
  const shared = { locale: ctx.locale, origin: ctx.publicOrigin, phone: site.contact.phone }
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
})

/** Open orders without a planned day. */
const waitingFor = (orders: Order[]) =>
  orders.filter(({ status, deliverOn }) => deliverOn === null && !isTerminal(status)).map(({ id }) => id)

export const action = pageAction('orders', async (ctx, { form, url }): Promise<BulkDone> => {
  const bulk = bulkActs.get(textOf(form, 'act'))
  if (bulk) return readChanged(ctx, await bulk(ctx, form))
  const id = parseId(textOf(form, 'id'))
  if (id === null) throw notFound()
  const act = acts.get(textOf(form, 'act'))
  if (!act) throw new Problem('MALFORMED')
  const done = await asInternalProblem(ctx, 'an order could not be changed', () => act(ctx, id, form))
  // Return to the same view of the list.
  const query = pageQueryOf(url.searchParams)
  query.set('done', done)
  query.delete('of')
  // The button to undo is at the top of the page.
  const isUndoShown = done === 'ended' || done === 'undone'
  if (isUndoShown) query.set('of', String(id))
  throw redirect(localized(`/orders?${query}`, ctx.locale) + (isUndoShown ? '' : `#o${id}`))
})

/** The forms of the page by name; the commands check permission and status. */
const acts = new Map<string, (ctx: Ctx, id: number, form: FormData) => Promise<Done>>(
  Object.entries({
    cancel: async (ctx, id, form) => {
      const { from } = parseInput(seenStatus, Object.fromEntries(form))
      if (can(ctx.viewer, 'operate')) return end(ctx, id, { to: CANCELLED, from })
      await ignoreDuplicateSubmit(ctx, id, CANCELLED, () => takeStep(ctx, id, { to: CANCELLED, from }))
      return 'cancelled'
    },
    step: async (ctx, id, form) => {
      const { to, from, note } = parseInput(adminStep, Object.fromEntries(form))
      // A note stays for good. Both sides read the reason why an order ended, and an erasure deletes it.
      if (isCalledOff(to)) return end(ctx, id, { to, from, reason: note })
      const closing = to === DELIVERED ? parseInput(adminClosing, Object.fromEntries(form)) : null
      await ignoreDuplicateSubmit(ctx, id, to, () =>
        closing ? closeOrder(ctx, id, { ...closing, from }) : takeStep(ctx, id, { to, from, note }),
      )
      return 'saved'
    },
    end: (ctx, id, form) => end(ctx, id, parseInput(adminEnd, Object.fromEntries(form))),
    'undo-end': async (ctx, id) => {
      await undoEnd(ctx, id)
      return 'undone'
    },
    payment: async (ctx, id, form) => {
      await ignoreDuplicateSubmit(ctx, id, DELIVERED, () => recordPayment(ctx, id, parseInput(adminClosing, Object.fromEntries(form))))
      return 'paid'
    },
    settle: async (ctx, id, form) => {
      const { id: invoiceId } = await getInvoice(ctx, id, 'commission')
      await settleInvoice(ctx, invoiceId, parseInput(settlement, Object.fromEntries(form)))
      return 'settled'
    },
    plan: async (ctx, id, form) => {
      await planDelivery(ctx, id, parseInput(deliveryPlan, Object.fromEntries(form)))
      return 'planned'
    },
  } satisfies Record<string, (ctx: Ctx, id: number, form: FormData) => Promise<Done>>),
)

async function end(ctx: Ctx, id: number, input: StepInput): Promise<Done> {
  if (!isCalledOff(input.to)) throw new Problem('ORDER_STEP')
  await ignoreDuplicateSubmit(ctx, id, input.to, () => endOrder(ctx, id, input))
  return 'ended'
}

const bulkPlan = deliveryPlan.pick({ deliverOn: true, listedBearerId: true })

/** An admin's bulk changes. */
const bulkActs = new Map<string, (ctx: Ctx, form: FormData) => Promise<BulkResult[]>>(
  Object.entries({
    'bulk-confirm': (ctx, form) => bringAllTo(ctx, chosenIn(form), CONFIRMED),
    'bulk-ready': (ctx, form) => bringAllTo(ctx, chosenIn(form), READY),
    'bulk-way': (ctx, form) => bringAllTo(ctx, chosenIn(form), ON_THE_WAY),
    'bulk-plan': (ctx, form) => {
      const chosen = chosenIn(form)
      const { deliverOn, listedBearerId = null } = parseInput(bulkPlan, Object.fromEntries(form))
      if (deliverOn === null && listedBearerId === null) throw invalidField('deliverOn', 'field_order_bulk_plan')
      return planAll(ctx, chosen, { deliverOn, listedBearerId })
    },
  } satisfies Record<string, (ctx: Ctx, form: FormData) => Promise<BulkResult[]>>),
)

/** At most one page of the table, each order with the plan and status that it showed. VALIDATION when nothing is chosen. */
function chosenIn(form: FormData): ChosenOrder[] {
  const ids = form.getAll('ids').map((id) => parseId(String(id)))
  if (ids.length === 0 || ids.length > ORDERS_AT_DESK || ids.includes(null)) throw invalidField('ids', 'field_order_bulk_none')
  return [...new Set(ids as number[])].map((id) => {
    // A form of an older release sends no status.
    const [from, seen] = [textOf(form, `from-${id}`), textOf(form, `seen-${id}`)]
    return { id, seen, from: from === '' ? undefined : Number(from) }
  })
}

export const clientAction = (args: Route.ClientActionArgs) => keepWhenOffline(args)

export const shouldRevalidate = afterRefusalToo

export const headers = formHeaders

export const meta = ({ loaderData }: Route.MetaArgs) =>
  loaderData ? plainMeta({ ...loaderData, path: '/orders', title: m.orders_title(), description: m.orders_lead() }) : []

export default function OrdersPage({ loaderData, actionData }: Route.ComponentProps) {
  return <OrdersView page={loaderData} refused={actionData?.refused} bulk={actionData?.done} />
}

export type OrdersPageData = Route.ComponentProps['loaderData']
