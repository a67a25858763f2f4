import { useEffect, useRef, useState } from 'react'
import { Form, useNavigate } from 'react-router'
import type { FormRefusal } from '#src/kit/http/page.server.ts'
import { m } from '#src/paraglide/messages.js'
import { Choice } from '#src/ui/choice.tsx'
import { DeskTable, type Column } from '#src/ui/desk-table.tsx'
import { Field } from '#src/ui/field.tsx'
import { SelectField } from '#src/ui/select-field.tsx'
import { useSendOnce } from '#src/ui/send-once.ts'
import { statusLook } from '../status-look.ts'
import type { BulkResult } from './bulk.server.ts'
import type { AddressOf, OrdersDeskData } from './orders-desk.tsx'

type Row = OrdersDeskData['rows'][number]

interface TableProps {
  page: OrdersDeskData
  address: AddressOf
  closed: string
  refused: FormRefusal | undefined
  bulk: BulkResult[] | undefined
}

/** The table with a checkbox for each open order, and the bulk actions below. */
export function OrdersTable({ page, address, closed, refused, bulk }: TableProps) {
  const navigate = useNavigate()
  const { onSubmit } = useSendOnce(refused ?? bulk)
  const form = useRef<HTMLFormElement>(null)
  const [chosen, setChosen] = useState<number | null>(null)
  const boxes = () => [...(form.current?.querySelectorAll<HTMLInputElement>('input[name="ids"]') ?? [])]
  const recount = () => setChosen(boxes().filter(({ checked }) => checked).length)
  // Count boxes that were ticked before hydration.
  useEffect(recount, [page.rows])
  const close = () => {
    // Esc closes an open popover first.
    if (!document.querySelector(':popover-open')) void navigate(closed, { preventScrollReset: true })
  }
  const table = {
    caption: m.orders_title_all(),
    columns: columns(page.open !== null),
    rows: page.rows,
    keyOf: ({ id }: Row) => id,
    addressOf: ({ orderNo }: Row) => address({ order: orderNo }),
    sort: page.choices.sort,
    sortAddress: (sort: string) => address({ sort, page: null }),
    isOpen: ({ id }: Row) => id === page.open?.id,
    keysText: m.orders_keys(),
    keys: { n: () => document.getElementById('bulk-day')?.focus(), ...(page.open && { Escape: close }) },
  }
  if (page.rows.every(({ isOver }) => isOver)) return <DeskTable {...table} />
  return (
    <Form ref={form} method="post" action={address({})} preventScrollReset onSubmit={onSubmit} onChange={recount} className="space-y-3">
      <input type="hidden" name="csrf" value={page.csrf} />
      <DeskTable {...table} lead={(row) => <Box row={row} />} />
      <BulkBar
        page={page}
        chosen={chosen}
        onAll={(isChosen) => {
          for (const box of boxes()) box.checked = isChosen
          recount()
        }}
      />
    </Form>
  )
}

function Box({ row }: { row: Row }) {
  if (row.isOver) return null
  return (
    <>
      <input type="hidden" name={`seen-${row.id}`} value={row.seen} />
      <input type="hidden" name={`from-${row.id}`} value={row.status} />
      <Choice type="checkbox" name="ids" value={row.id} aria-label={m.orders_choose({ number: row.orderNo })} className="justify-center">
        {null}
      </Choice>
    </>
  )
}

const columns = (isBesidePanel: boolean): Column<Row>[] => [
  {
    id: 'order',
    label: m.orders_col_order(),
    sorts: 'down',
    cell: (row) => (
      <>
        {row.orderNo}
        <span className="inline-block w-full text-sm font-normal text-ink">{row.name}</span>
      </>
    ),
  },
  { id: 'status', label: m.order_status(), sorts: 'up', onCard: 'bare', cell: (row) => <Status row={row} /> },
  {
    id: 'day',
    label: m.orders_col_day(),
    sorts: 'up',
    onCard: 'bare',
    cell: (row) =>
      row.when || row.bearer ? (
        <>
          {row.when ?? m.orders_no_day()}
          <span className="block text-stone">
            <bdi>{row.bearer ?? (row.isOver ? '' : m.orders_no_bearer())}</bdi>
          </span>
        </>
      ) : null,
  },
  ...(isBesidePanel
    ? []
    : ([
        {
          id: 'people',
          label: m.orders_col_people(),
          onCard: 'bare',
          cell: (row) => (
            <span className="wrap-anywhere">
              <bdi>{row.seller}</bdi> → <bdi>{row.buyer}</bdi>
              <span className="block text-stone">{row.way}</span>
            </span>
          ),
        },
        { id: 'amount', label: m.orders_col_amount(), sorts: 'down', isNumber: true, onCard: 'bare', cell: (row) => <b>{row.payable}</b> },
      ] satisfies Column<Row>[])),
]

function Status({ row }: { row: Row }) {
  return (
    <span className="flex flex-wrap gap-1">
      <span className={`chip ${statusLook(row.status)}`}>{row.statusName}</span>
      {row.isStalled && <span className="chip-heed">{m.order_flag_still()}</span>}
      {row.isUnpaid && <span className="chip-heed">{m.order_flag_payment()}</span>}
      {row.isSellerGone && <span className="chip-bad">{m.order_flag_seller()}</span>}
    </span>
  )
}

interface BarProps {
  page: OrdersDeskData
  /** Null before hydration. */
  chosen: number | null
  onAll: (isChosen: boolean) => void
}

/** The plan's button comes first, so that Enter in the day field never changes a status. */
function BulkBar({ page, chosen, onAll }: BarProps) {
  return (
    <fieldset className={`panel p-3 ${chosen ? 'sticky bottom-0 z-10 shadow-card' : ''}`}>
      <legend className="sr-only">{m.orders_bulk()}</legend>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <b>{chosen ? m.orders_bulk_chosen({ count: chosen }) : m.orders_bulk_choose()}</b>
        {chosen !== null && (
          <Choice type="checkbox" checked={chosen > 0} onChange={({ target }) => onAll(target.checked)} className="gap-2">
            {m.orders_bulk_all()}
          </Choice>
        )}
      </div>
      <div className={`mt-2 flex flex-wrap items-end gap-2 ${chosen === 0 ? 'hidden' : ''}`}>
        <Field id="bulk-day" name="deliverOn" type="date" min={page.today} max={page.lastDay} label={m.orders_bulk_day()} />
        <SelectField
          id="bulk-bearer"
          name="listedBearerId"
          label={m.orders_bulk_bearer()}
          none={m.orders_bulk_same()}
          options={page.bearers}
        />
        <button type="submit" name="act" value="bulk-plan" className="button-plain">
          {m.orders_bulk_plan()}
        </button>
        <span className="flex flex-wrap gap-2 md:ml-auto">
          <button type="submit" name="act" value="bulk-ready" className="button-plain">
            {m.orders_bulk_ready()}
          </button>
          <button type="submit" name="act" value="bulk-way" className="button-plain">
            {m.orders_bulk_way()}
          </button>
        </span>
      </div>
    </fieldset>
  )
}
