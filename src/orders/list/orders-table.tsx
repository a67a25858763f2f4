import { useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import type { FormRefusal } from '#src/kit/http/page.server.ts'
import { m } from '#src/paraglide/messages.js'
import { AgeChip } from '#src/ui/age-chip.tsx'
import { Choice } from '#src/ui/choice.tsx'
import { DeskTable, TablePages, type Column } from '#src/ui/desk-table.tsx'
import { HiddenFields, PostForm } from '#src/ui/post-form.tsx'
import { useSendOnce } from '#src/ui/send-once.ts'
import type { BulkDone } from './order-desk.server.ts'
import { BulkBar, BulkOutcome } from './orders-bulk-bar.tsx'
import type { OrdersDeskData } from './orders-view.server.ts'

type Row = OrdersDeskData['rows'][number]

interface TableProps {
  page: OrdersDeskData
  address: AddressOf
  closed: string
  refused: FormRefusal | undefined
  bulk: BulkDone | undefined
}

/** The ticked orders; null before hydration. */
function useTicks({ rows }: OrdersDeskData, bulk: BulkDone | undefined) {
  const form = useRef<HTMLFormElement>(null)
  const [chosen, setChosen] = useState<number[] | null>(null)
  const boxes = () => [...(form.current?.querySelectorAll<HTMLInputElement>('input[name="ids"]') ?? [])]
  const recount = () => setChosen(boxes().flatMap(({ checked, value }) => (checked ? Number(value) : [])))
  // Count boxes that were ticked before hydration, and those of a bulk change.
  useEffect(recount, [rows, bulk])
  // The page's orders alone: those of the step before are not of this page.
  const tickAll = (isChosen: boolean) => {
    for (const box of boxes()) box.checked = isChosen && rows.some(({ id }) => id === Number(box.value))
    recount()
  }
  return { form, chosen, recount, tickAll }
}

/** The table with a checkbox for each open order, and the bulk actions below. */
export function OrdersTable({ page, address, closed, refused, bulk }: TableProps) {
  const navigate = useNavigate()
  const { onSubmit } = useSendOnce(refused ?? bulk)
  const { form, chosen, recount, tickAll } = useTicks(page, bulk)
  const here = new Set(page.rows.map(({ id }) => id))
  const rows = [...(bulk?.rows.filter(({ id }) => !here.has(id)) ?? []), ...page.rows]
  const isTicked = (id: number) => bulk?.results.some((each) => each.id === id)
  const close = () => {
    // Esc closes an open popover first.
    if (!document.querySelector(':popover-open')) void navigate(closed, { preventScrollReset: true })
  }
  const table = {
    caption: m.orders_title_all(),
    columns: columns(page.open !== null),
    rows,
    keyOf: ({ id }: Row) => id,
    addressOf: ({ orderNo }: Row) => address({ order: orderNo }),
    sort: page.choices.sort,
    sortAddress: (sort: string) => address({ sort, page: null }),
    isOpen: ({ id }: Row) => id === page.open?.id,
    keysText: m.orders_keys(),
    keys: { n: () => document.getElementById('bulk-day')?.focus(), ...(page.open && { Escape: close }) },
  }
  const open = rows.filter(({ isOver }) => !isOver)
  const ofPage = page.rows.filter(({ isOver }) => !isOver)
  const ticked = open.filter(({ id }) => chosen?.includes(id) ?? true)
  const outcome = bulk && !refused && <BulkOutcome results={bulk.results} />
  const pages = <OrderPages page={page} address={address} />
  // Without an open order there is nothing to send.
  if (open.length === 0)
    return (
      <DeskTable
        {...table}
        foot={
          <>
            {outcome}
            {pages}
          </>
        }
      />
    )
  return (
    <PostForm ref={form} action={address({ order: page.open?.orderNo ?? null })} preventScrollReset onSubmit={onSubmit} onChange={recount}>
      <DeskTable
        {...table}
        lead={(row) => <Box row={row} isTicked={isTicked(row.id)} />}
        foot={
          <>
            {outcome}
            <BulkBar page={page} rows={ticked} all={ofPage.map(({ id }) => id)} isAlive={chosen !== null} onAll={tickAll} />
            {pages}
          </>
        }
      />
    </PostForm>
  )
}

export const OrderPages = ({ page: { choices, perPage, found }, address }: Pick<TableProps, 'page' | 'address'>) => (
  <TablePages page={choices.page} perPage={perPage} count={found} pageAddress={(number) => address({ page: number })} />
)

function Box({ row, isTicked }: { row: Row; isTicked: boolean | undefined }) {
  if (row.isOver) return null
  return (
    <>
      <HiddenFields {...{ [`seen-${row.id}`]: row.seen, [`from-${row.id}`]: row.status }} />
      <Choice
        type="checkbox"
        name="ids"
        value={row.id}
        defaultChecked={isTicked}
        aria-label={m.orders_choose({ number: row.orderNo })}
        className="justify-center max-md:-ml-3 max-md:min-w-11 md:min-h-8"
      >
        {null}
      </Choice>
    </>
  )
}

const columns = (isBesidePanel: boolean): Column<Row>[] => [
  { id: 'order', label: m.orders_col_order(), sorts: 'down', cell: ({ orderNo }) => orderNo },
  { id: 'animal', label: m.vet_own_animal(), width: isBesidePanel ? 'md:w-2/5' : 'md:w-1/5', onCard: 'bare', cell: ({ name }) => name },
  { id: 'status', label: m.order_status(), sorts: 'up', width: isBesidePanel ? 'md:w-3/5' : '', onCard: 'bare', cell: statusAndFlags },
  { id: 'age', label: m.orders_col_age(), onCard: 'bare', cell: ({ age }) => age && <AgeChip age={age} /> },
  ...(isBesidePanel
    ? []
    : ([
        { id: 'day', label: m.orders_col_day(), sorts: 'up', width: 'md:w-1/6', onCard: 'bare', cell: dayAndBearer },
        {
          id: 'people',
          label: m.orders_col_people(),
          width: 'md:w-1/4 2xl:w-1/3',
          from: 'xl',
          onCard: 'bare',
          cell: ({ seller, buyer, way }) => `${seller} → ${buyer} · ${way}`,
        },
        {
          id: 'amount',
          label: m.orders_col_amount(),
          from: 'xl',
          sorts: 'down',
          isNumber: true,
          onCard: 'bare',
          cell: (row) => <b>{row.payable}</b>,
        },
      ] satisfies Column<Row>[])),
]

const dayAndBearer = ({ when, bearer, isOver }: Row) =>
  when || bearer ? [when ?? m.orders_no_day(), bearer ?? (isOver ? null : m.orders_no_bearer())].filter(Boolean).join(' · ') : null

function statusAndFlags(row: Row) {
  return (
    <span className="flex flex-wrap gap-1 md:flex-nowrap">
      <span title={row.statusName} className={`chip min-w-0 md:block md:truncate ${row.look}`}>
        {row.statusName}
      </span>
      {row.isUnpaid && <span className="chip-heed">{m.order_flag_payment()}</span>}
      {row.isSellerGone && <span className="chip-bad">{m.order_flag_seller()}</span>}
    </span>
  )
}

export type AddressOf = (changes: Record<string, string | number | null>) => string
