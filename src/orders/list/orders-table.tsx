import { useEffect, useRef, useState } from 'react'
import { Form, useNavigate } from 'react-router'
import type { FormRefusal } from '#src/kit/http/page.server.ts'
import { m } from '#src/paraglide/messages.js'
import { AgeChip } from '#src/ui/age-chip.tsx'
import { Choice } from '#src/ui/choice.tsx'
import { DeskTable, TablePages, type Column } from '#src/ui/desk-table.tsx'
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
  const pages = <OrderPages page={page} address={address} />
  if (page.rows.every(({ isOver }) => isOver)) return <DeskTable {...table} foot={pages} />
  return (
    <Form ref={form} method="post" action={address({})} preventScrollReset onSubmit={onSubmit} onChange={recount}>
      <input type="hidden" name="csrf" value={page.csrf} />
      <DeskTable
        {...table}
        lead={(row) => <Box row={row} />}
        foot={
          <>
            <BulkBar
              page={page}
              chosen={chosen}
              onAll={(isChosen) => {
                for (const box of boxes()) box.checked = isChosen
                recount()
              }}
            />
            {pages}
          </>
        }
      />
    </Form>
  )
}

export const OrderPages = ({ page: { choices, perPage, found }, address }: Pick<TableProps, 'page' | 'address'>) => (
  <TablePages page={choices.page} perPage={perPage} count={found} pageAddress={(number) => address({ page: number })} />
)

function Box({ row }: { row: Row }) {
  if (row.isOver) return null
  return (
    <>
      <input type="hidden" name={`seen-${row.id}`} value={row.seen} />
      <input type="hidden" name={`from-${row.id}`} value={row.status} />
      <Choice
        type="checkbox"
        name="ids"
        value={row.id}
        aria-label={m.orders_choose({ number: row.orderNo })}
        className="justify-center md:min-h-8"
      >
        {null}
      </Choice>
    </>
  )
}

const columns = (isBesidePanel: boolean): Column<Row>[] => [
  { id: 'order', label: m.orders_col_order(), sorts: 'down', cell: ({ orderNo }) => orderNo },
  { id: 'animal', label: m.vet_own_animal(), width: 'md:w-1/5', onCard: 'bare', cell: ({ name }) => name },
  { id: 'status', label: m.order_status(), sorts: 'up', onCard: 'bare', cell: (row) => <Status row={row} /> },
  { id: 'age', label: m.enquiry_desk_age(), onCard: 'bare', cell: ({ age }) => age && <AgeChip age={age} /> },
  ...(isBesidePanel
    ? []
    : ([
        { id: 'day', label: m.orders_col_day(), sorts: 'up', width: 'md:w-1/6', onCard: 'bare', cell: dayAndBearer },
        {
          id: 'people',
          label: m.orders_col_people(),
          width: 'md:w-1/5',
          onCard: 'bare',
          cell: ({ seller, buyer }) => `${seller} → ${buyer}`,
        },
        { id: 'way', label: m.orders_col_way(), width: 'md:w-1/6 md:max-2xl:hidden', onCard: 'bare', cell: ({ way }) => way },
        { id: 'amount', label: m.orders_col_amount(), sorts: 'down', isNumber: true, onCard: 'bare', cell: (row) => <b>{row.payable}</b> },
      ] satisfies Column<Row>[])),
]

const dayAndBearer = ({ when, bearer, isOver }: Row) =>
  when || bearer ? `${when ?? m.orders_no_day()} · ${bearer ?? (isOver ? '' : m.orders_no_bearer())}` : null

function Status({ row }: { row: Row }) {
  return (
    <span className="flex flex-wrap gap-1 md:flex-nowrap">
      <span className={`chip ${statusLook(row.status)}`}>{row.statusName}</span>
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
    <fieldset className={`row gap-x-4 gap-y-1 ${chosen ? 'max-md:sticky max-md:bottom-0 max-md:z-10 max-md:panel max-md:p-3' : ''}`}>
      <legend className="sr-only">{m.orders_bulk()}</legend>
      <div className="row gap-x-4 gap-y-1">
        {chosen !== 0 && <b>{chosen ? m.orders_bulk_chosen({ count: chosen }) : m.orders_bulk_choose()}</b>}
        {chosen !== null && (
          <Choice type="checkbox" checked={chosen > 0} onChange={({ target }) => onAll(target.checked)} className="gap-2">
            {m.orders_bulk_all()}
          </Choice>
        )}
      </div>
      <div className={`row items-end gap-2 ${chosen === 0 ? 'hidden' : ''}`}>
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
