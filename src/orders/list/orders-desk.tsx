import { useState } from 'react'
import { useLocation } from 'react-router'
import type { FormRefusal } from '#src/kit/http/page.server.ts'
import { m } from '#src/paraglide/messages.js'
import { sortText, tableAddress } from '#src/ui/desk-query.ts'
import { DeskBeside, DeskPanel, useFocusOfPanel } from '#src/ui/desk-beside.tsx'
import { TableViews } from '#src/ui/desk-table.tsx'
import { FormFailure } from '#src/ui/form-failure.tsx'
import { FileForm } from '#src/ui/panels.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { OrderCard } from '#src/orders/card/order-card.tsx'
import { DeskLinks } from '../desk-head.tsx'
import { UndoableDone } from '#src/ui/undo-button.tsx'
import { orderNumber } from '#src/orders/rules.ts'
import { doneTexts } from './orders-done.ts'
import type { BulkDone } from './order-desk.server.ts'
import { OrderPages, OrdersTable, type AddressOf } from './orders-table.tsx'
import { OrderSearch } from './order-search.tsx'
import type { OrderView } from '../order-conditions.ts'
import type { OrdersDeskData } from './orders-view.server.ts'

const viewTexts: Record<OrderView, () => string> = {
  open: m.orders_view_open,
  late: m.orders_view_late,
  confirm: m.orders_view_confirm,
  prepare: m.orders_view_prepare,
  today: m.orders_view_today,
  way: m.orders_view_way,
  refused: m.orders_view_refused,
  all: m.orders_view_all,
}

interface DeskProps {
  page: OrdersDeskData
  refused: FormRefusal | undefined
  bulk: BulkDone | undefined
}

/** All orders as a table, and the open order beside it. */
export function OrdersDesk({ page, refused, bulk: answer }: DeskProps) {
  const bulk = useLastBulk(page, answer)
  const to = useLocalPath()
  const { choices, open } = page
  const { view, text, status, on, from, to: until, isFlagged, sort } = choices
  const address: AddressOf = (changes) => {
    const narrowed = { q: text, status, on: on === 'delivery' ? on : null, from, to: until, flagged: isFlagged ? 1 : null }
    return to(
      tableAddress('/orders', { view, ...narrowed, sort: sortText(sort), page: choices.page > 1 ? choices.page : null, ...changes }),
    )
  }
  // A search with one result would open its order again.
  const closed = address({ order: null, ...(page.rows.length === 1 && { q: null }) })
  useFocusOfPanel(open?.id ?? null)
  // After a lost connection the undo may be tried again.
  const isUndoTried = refused?.typed.act === 'undo-end' && refused.code === 'UNAVAILABLE'
  const isOfPanel = refused !== undefined && open !== null && refused.typed.id === String(open.id)
  return (
    <div className="space-y-2">
      <div className="row gap-x-4 gap-y-2">
        <h1 className="text-2xl md:text-xl">{m.orders_title_all()}</h1>
        <OrderSearch page={page} />
      </div>
      <div className="items-start justify-between gap-x-4 lg:flex">
        <Views page={page} />
        <DeskLinks
          links={[
            ['/admin/run-sheet', m.run_title()],
            ['/admin/bearers', m.bearers_title()],
          ]}
        />
      </div>
      {(!refused || isUndoTried) && !bulk && <Done page={page} address={address} />}
      {refused && !isOfPanel && (
        <FormFailure detail={refused.errors.ids ?? refused.errors.deliverOn ?? refused.errors.listedBearerId ?? refused.detail} />
      )}
      <DeskBeside
        isChosen={open !== null}
        panel={open && <Panel page={page} open={open} refused={isOfPanel ? refused : undefined} closed={closed} />}
      >
        {page.rows.length === 0 && !bulk ? (
          <p className="panel p-4">
            {m.orders_none_found()}{' '}
            <a href={to('/orders?view=all')} className="link font-semibold">
              {m.own_show_all()}
            </a>
          </p>
        ) : (
          <OrdersTable page={page} address={address} closed={closed} refused={isOfPanel ? undefined : refused} bulk={bulk} />
        )}
        {page.rows.length === 0 && !bulk && <OrderPages page={page} address={address} />}
        {page.rows.length > 0 && <Csv page={page} />}
      </DeskBeside>
    </div>
  )
}

/** The last bulk step, until the view changes or another act is done: its orders stay ticked after a refusal or an opened row. */
function useLastBulk({ choices, done }: OrdersDeskData, answer: BulkDone | undefined): BulkDone | undefined {
  const view = JSON.stringify(choices)
  const [last, setLast] = useState({ bulk: answer, view })
  if (answer && answer !== last.bulk) setLast({ bulk: answer, view })
  return answer ?? (last.view === view && !done ? last.bulk : undefined)
}

/** The result of the last act, with an undo button when it ended an order. */
function Done({ page: { done, ofId, open }, address }: { page: OrdersDeskData; address: AddressOf }) {
  if (!done) return null
  const text = [ofId && `${orderNumber(ofId)}:`, doneTexts[done]()].filter(Boolean).join(' ')
  const action = address({ order: open?.orderNo ?? null })
  const fields = { act: 'undo-end', id: String(ofId) }
  return <UndoableDone id="undo-end" text={text} isUndoable={done === 'ended'} action={action} fields={fields} />
}

function Views({ page }: { page: OrdersDeskData }) {
  const to = useLocalPath()
  return (
    <TableViews
      views={(Object.keys(viewTexts) as OrderView[]).map((name) => ({
        name: viewTexts[name](),
        address: to(`/orders?view=${name}`),
        isHere: name === page.choices.view,
        ...(name !== 'all' && { count: page.counts[name] ?? 0 }),
      }))}
    />
  )
}

interface PanelProps {
  page: OrdersDeskData
  open: NonNullable<OrdersDeskData['open']>
  refused: FormRefusal | undefined
  closed: string
}

function Panel({ page, open, refused, closed }: PanelProps) {
  const to = useLocalPath()
  const { search } = useLocation()
  // The next form makes the notice of the earlier one stale.
  const query = new URLSearchParams(search)
  query.delete('done')
  return (
    <DeskPanel label={open.orderNo} closed={closed} canClose>
      <OrderCard
        key={open.id}
        order={open}
        action={to(`/orders${query.size > 0 ? `?${query}` : ''}`)}
        refused={refused}
        phone={page.phone}
        bearers={page.bearers}
      />
    </DeskPanel>
  )
}

const Csv = ({ page }: { page: OrdersDeskData }) => {
  const to = useLocalPath()
  const files = [{ label: m.orders_csv_send(), address: to(`/orders.csv${page.query && `?${page.query}`}`) }]
  return <FileForm id="orders-csv" title={m.orders_csv()} files={files} refused={page.csvRefused} />
}
