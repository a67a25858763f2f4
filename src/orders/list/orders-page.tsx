import { redirect, useLocation } from 'react-router'
import { pageQueryOf } from '#src/router-seams/data-url.ts'
import { can } from '#src/accounts/policy.ts'
import type { Ctx } from '#src/kit/context.ts'
import { afterRefusalToo, keepWhenOffline } from '#src/kit/device/offline-form.ts'
import { localized } from '#src/kit/text/locale.ts'
import { formHeaders, formLoader, pageAction, textOf, type FormRefusal } from '#src/kit/http/page.server.ts'
import { notFound, Problem, invalidField } from '#src/kit/base/problem.ts'
import { plainMeta } from '#src/kit/http/page-meta.ts'
import { parseId } from '#src/kit/ids.ts'
import { m } from '#src/paraglide/messages.js'
import { closeOrder, recordPayment } from '#src/orders/steps/closing.server.ts'
import { adminClosing, adminStep, deliveryPlan, seenStatus, adminEnd } from '#src/orders/steps/handover-schemas.server.ts'
import { planDelivery } from '#src/orders/steps/handover.server.ts'
import { endOrder, undoEnd } from '#src/orders/steps/end-order.server.ts'
import { takeStep, type StepInput } from '#src/orders/steps/take-step.server.ts'
import { parseInput } from '#src/kit/parse-input.ts'
import { FormDone, FormFailure } from '#src/ui/form-failure.tsx'
import { LoggedOut } from '#src/accounts/sign-in/logged-out.tsx'
import { Icon } from '#src/ui/icon.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { Pager } from '#src/ui/pager.tsx'
import { TitledPanel } from '#src/ui/panels.tsx'
import { OrderCard } from '#src/orders/card/order-card.tsx'
import { bringAllTo, planAll, type BulkResult, type ChosenOrder } from './bulk.server.ts'
import { readChanged, type BulkDone } from './order-desk.server.ts'
import { ORDERS_AT_DESK } from './order-table.server.ts'
import { CANCELLED, DELIVERED, isCalledOff, steps } from '../process.server.ts'
import { ignoreDuplicateSubmit } from '../ignore-duplicate-submit.server.ts'
import { type Done, readOrders } from './orders-view.server.ts'
import { ordersCount } from '../orders-count.ts'
import { OrdersDesk } from './orders-desk.tsx'
import { doneTexts } from './orders-done.ts'
import type { Route } from './+types/orders-page'

export const loader = formLoader(readOrders)

export const action = pageAction('orders', async (ctx, { form, url }): Promise<BulkDone> => {
  const bulk = bulkActs.get(textOf(form, 'act'))
  if (bulk) return readChanged(ctx, await bulk(ctx, form))
  const id = parseId(textOf(form, 'id'))
  if (id === null) throw notFound()
  const act = acts.get(textOf(form, 'act'))
  if (!act) throw new Problem('MALFORMED')
  const done = await act(ctx, id, form)
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
      if (can(ctx.viewer, 'operate')) return end(ctx, id, { to: CANCELLED, from: from ?? 0 })
      await ignoreDuplicateSubmit(ctx, id, CANCELLED, () => takeStep(ctx, id, { to: CANCELLED, from }))
      return 'cancelled'
    },
    step: async (ctx, id, form) => {
      const { to, from, note } = parseInput(adminStep, Object.fromEntries(form))
      // A note stays for good. Both sides read the reason why an order ended, and an erasure deletes it.
      if (isCalledOff(to) && !note) throw invalidField('note', 'field_order_reason')
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

type BulkAct = (ctx: Ctx, form: FormData) => Promise<BulkResult[]>

/** An admin's bulk changes. */
const bulkActs = new Map<string, BulkAct>([
  ...steps.flatMap(({ bulk, to }): [string, BulkAct][] => (bulk ? [[bulk.act, (ctx, form) => bringAllTo(ctx, chosenIn(form), to)]] : [])),
  [
    'bulk-plan',
    async (ctx, form) => {
      const chosen = chosenIn(form)
      const { deliverOn, listedBearerId = null } = parseInput(bulkPlan, Object.fromEntries(form))
      if (deliverOn === null && listedBearerId === null) throw invalidField('deliverOn', 'field_order_bulk_plan')
      return planAll(ctx, chosen, { deliverOn, listedBearerId })
    },
  ],
])

/**
 * At most one page of the table and the orders of the step before it, each with the plan and status that it showed. VALIDATION
 * when nothing is chosen.
 */
function chosenIn(form: FormData): ChosenOrder[] {
  const ids = form.getAll('ids').map((id) => parseId(String(id)))
  if (ids.length === 0 || ids.length > 2 * ORDERS_AT_DESK || ids.includes(null)) throw invalidField('ids', 'field_order_bulk_none')
  return [...new Set(ids as number[])].map((id) => ({
    id,
    seen: textOf(form, `seen-${id}`),
    from: Number(textOf(form, `from-${id}`)),
  }))
}

export const clientAction = (args: Route.ClientActionArgs) => keepWhenOffline(args)

export const shouldRevalidate = afterRefusalToo

export const headers = formHeaders

export const meta = plainMeta<Route.MetaArgs>(({ kind }) => ({
  title: kind === 'desk' ? m.orders_title_all() : m.orders_title(),
  description: m.orders_lead(),
}))

type ListPage = Extract<Route.ComponentProps['loaderData'], { kind: 'list' }>

export default function OrdersPage({ loaderData: page, actionData }: Route.ComponentProps) {
  const refused = actionData?.refused
  if (page.kind === 'desk') return <OrdersDesk page={page} refused={refused} bulk={actionData?.done} />
  return (
    <div className="page-column max-w-4xl">
      <h1 className="text-2xl">{m.orders_title()}</h1>
      {page.kind === 'logged-out' ? <LoggedOut path="/orders" refused={refused} /> : <List page={page} refused={refused} />}
    </div>
  )
}

function List({ page, refused }: { page: ListPage; refused: FormRefusal | undefined }) {
  const to = useLocalPath()
  const { search } = useLocation()
  const { orders } = page
  // The next form makes the notice of the earlier one stale.
  const query = new URLSearchParams(search)
  query.delete('done')
  const action = to(`/orders${query.size > 0 ? `?${query}` : ''}`)
  const isShown = orders.some(({ id }) => String(id) === refused?.typed.id)
  return (
    <>
      {page.done && !refused && <FormDone>{doneTexts[page.done]()}</FormDone>}
      {refused && !isShown && <FormFailure detail={refused.detail} />}
      {page.sells && (
        <a href={to('/seller-product/?tab=1')} className="tap-link font-semibold">
          {m.orders_of_own()}
        </a>
      )}
      {page.toBring.length > 0 && <ToBring page={page} />}
      {orders.length === 0 ? (
        <Empty page={page} />
      ) : (
        <>
          <p className="text-stone">{ordersCount(page.count, page.countsUpTo)}</p>
          <ul className="grid gap-4">
            {orders.map((order) => (
              <li key={order.id}>
                <OrderCard
                  order={order}
                  action={action}
                  refused={refused?.typed.id === String(order.id) ? refused : undefined}
                  phone={page.phone}
                />
              </li>
            ))}
          </ul>
        </>
      )}
      <Pager
        label={m.orders_pages()}
        first={page.isFirstPage ? null : to('/orders')}
        next={page.next === null ? null : to(`/orders?after=${page.next}`)}
      />
    </>
  )
}

/** The orders that the viewer has to deliver, each with a link to its handover page. */
function ToBring({ page }: { page: ListPage }) {
  const to = useLocalPath()
  return (
    <TitledPanel id="to-bring" title={m.orders_to_bring()} className="notice-panel space-y-2 p-4">
      <ul className="grid gap-2 md:grid-cols-2">
        {page.toBring.map((order) => (
          <li key={order.id}>
            <a href={to(`/orders/${order.id}/handover`)} className="button-plain w-full justify-between text-left">
              <span>
                {order.orderNo} · {order.name}
                <span className="block text-sm font-normal">{order.when ?? order.statusName}</span>
              </span>
              <Icon name="next" size={20} className="shrink-0" />
            </a>
          </li>
        ))}
      </ul>
    </TitledPanel>
  )
}

function Empty({ page }: { page: ListPage }) {
  const to = useLocalPath()
  if (!page.isFirstPage) {
    return (
      <p className="panel p-4">
        {m.orders_none_found()}{' '}
        <a href={to('/orders')} className="link font-semibold">
          {m.own_show_all()}
        </a>
      </p>
    )
  }
  return (
    <div className="empty-panel">
      <p className="text-lg">{m.orders_empty()}</p>
      {page.sells && !page.buys ? (
        <a href={to('/sell')} className="button-primary">
          {m.own_sell()}
        </a>
      ) : (
        <a href={to('/buy/0')} className="button-primary">
          {m.missing_browse()}
        </a>
      )}
    </div>
  )
}
