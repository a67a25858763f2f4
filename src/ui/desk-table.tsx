import { useRef, type ReactNode } from 'react'
import { m } from '#src/paraglide/messages.js'
import { sortText, type Sort } from './desk-query.ts'
import { Link } from './link.tsx'
import { SingleKeys } from './single-keys.tsx'

export interface Column<Row> {
  id: string
  label: string
  cell: (row: Row) => ReactNode
  /** The table may be sorted by it; the first tap gives this order. */
  sorts?: 'up' | 'down'
  isNumber?: boolean
  /** Says on a card what it is without its label; or is left out there, as is a figure of nothing. */
  onCard?: 'bare' | 'never'
}

interface TableProps<Row> {
  caption: string
  /** The first one names the row and leads to its page. */
  columns: Column<Row>[]
  rows: Row[]
  keyOf: (row: Row) => string | number
  /** The page of a row, in the reader's language. */
  addressOf: (row: Row) => string
  sort?: Sort<string>
  /** The same table in another order: `sort` as it stands in the address. */
  sortAddress?: (sort: string) => string
  /** Stands before the row's name: a box to choose it. */
  lead?: (row: Row) => ReactNode
  /** The row that is open beside the table; its page opens in place where scripts run. */
  isOpen?: (row: Row) => boolean
  /** What further keys do. */
  keys?: Record<string, () => void>
  keysText?: string
}

/**
 * A table of a desk: sorted by links in its heads, a card for each row on a phone, where the heads are a row of links above. J and K go
 * from row to row, Enter opens. All of it is rendered by the server and works without scripts, except the keys.
 */
export function DeskTable<Row>({ caption, columns, rows, sort, sortAddress, keys, keysText, ...of }: TableProps<Row>) {
  const table = useRef<HTMLTableElement>(null)
  const step = (by: number) => {
    const links = [...(table.current?.querySelectorAll<HTMLElement>('[data-row-link]') ?? [])]
    const focused = links.findIndex((link) => link.closest('tr')!.contains(document.activeElement))
    const at = focused === -1 ? links.findIndex((link) => link.getAttribute('aria-current') === 'true') : focused
    links[at === -1 ? (by > 0 ? 0 : links.length - 1) : Math.min(links.length - 1, Math.max(0, at + by))]?.focus()
  }
  return (
    <div className="space-y-2">
      <table ref={table} className="panel block w-full text-left md:table">
        <caption className="sr-only">{caption}</caption>
        <thead className={`${sortAddress ? 'block' : 'max-md:sr-only'} border-b border-line bg-husk-dark text-sm md:table-header-group`}>
          <tr
            data-sort={sortAddress && `${m.list_sort()}:`}
            className="relative flex items-center gap-x-4 overflow-x-auto px-4 before:shrink-0 before:text-stone before:content-[attr(data-sort)] md:table-row md:before:hidden"
          >
            {of.lead && (
              <th scope="col" className="w-0 max-md:hidden">
                <span className="sr-only">{m.table_choose()}</span>
              </th>
            )}
            {columns.map((column) => (
              <Head key={column.id} column={column} sort={sort} sortAddress={sortAddress} />
            ))}
          </tr>
        </thead>
        <tbody className="block md:table-row-group">
          {rows.map((row) => (
            <TableRow key={of.keyOf(row)} rowKey={of.keyOf(row)} row={row} columns={columns} {...of} />
          ))}
        </tbody>
      </table>
      <SingleKeys
        remembered="table-keys"
        text={keysText ?? m.table_keys()}
        actOf={(key) => ({ j: () => step(1), k: () => step(-1), ...keys })[key]}
      />
    </div>
  )
}

type RowProps<Row> = Pick<TableProps<Row>, 'columns' | 'addressOf' | 'lead' | 'isOpen'> & { row: Row; rowKey: string | number }

function TableRow<Row>({ row, rowKey, columns, addressOf, lead, isOpen }: RowProps<Row>) {
  const [title, ...others] = columns as [Column<Row>, ...Column<Row>[]]
  const link = { 'data-row-link': rowKey, className: 'link inline-block py-1 font-semibold break-words' }
  return (
    <tr
      className={`flex flex-wrap gap-x-4 border-b border-line px-4 py-3 last:border-0 focus-within:bg-leaf-soft hover:bg-leaf-soft md:table-row ${isOpen?.(row) ? 'xl:bg-leaf-soft' : ''}`}
    >
      {lead && <td className="align-top md:py-1 md:pl-3">{lead(row)}</td>}
      <td className={`min-w-0 align-top md:py-2 md:pr-2 ${lead ? 'basis-[calc(100%-4rem)] md:pl-2' : 'basis-full md:pl-4'}`}>
        {isOpen ? (
          <Link to={addressOf(row)} aria-current={isOpen(row) ? 'true' : undefined} preventScrollReset {...link}>
            {title.cell(row)}
          </Link>
        ) : (
          <a href={addressOf(row)} {...link}>
            {title.cell(row)}
          </a>
        )}
      </td>
      {others.map((column) => (
        <Cell key={column.id} column={column} row={row} />
      ))}
    </tr>
  )
}

function Head<Row>({ column, sort, sortAddress }: { column: Column<Row> } & Pick<TableProps<Row>, 'sort' | 'sortAddress'>) {
  const { id, label, sorts, isNumber } = column
  const side = isNumber ? 'md:text-right' : ''
  // On a phone only what sorts is worth its place: each card names its figures.
  if (!sorts || !sortAddress)
    return (
      <th
        scope="col"
        className={`sr-only align-bottom font-semibold md:not-sr-only md:table-cell md:px-2 md:py-2 md:first:pl-4 md:last:pr-4 ${side}`}
      >
        {label}
      </th>
    )
  const isHere = sort?.by === id
  const isDown = isHere ? !sort.isDown : sorts === 'down'
  return (
    <th
      scope="col"
      aria-sort={isHere ? (sort.isDown ? 'descending' : 'ascending') : undefined}
      className={`shrink-0 align-bottom font-semibold md:px-2 md:py-0 md:first:pl-4 md:last:pr-4 ${side}`}
    >
      <a
        href={sortAddress(sortText({ by: id, isDown }))}
        className={`inline-flex min-h-11 items-center gap-1 leading-tight hover:underline ${isNumber ? 'md:flex-row-reverse' : ''} ${isHere ? 'text-leaf' : ''}`}
      >
        {label}
        <span aria-hidden="true" className="w-3">
          {isHere ? (sort.isDown ? '↓' : '↑') : ''}
        </span>
      </a>
    </th>
  )
}

function Cell<Row>({ column, row }: { column: Column<Row>; row: Row }) {
  const content = column.cell(row)
  const { isNumber, label, onCard } = column
  const isLeftOut = onCard === 'never' || content === null || content === '' || content === 0
  return (
    <td
      className={`${isLeftOut ? 'max-md:hidden' : ''} min-w-0 align-top text-sm md:px-2 md:py-3 md:last:pr-4 ${isNumber ? 'tabular-nums md:text-right' : ''}`}
    >
      {onCard !== 'bare' && <span className="text-stone md:hidden">{label}: </span>}
      {content}
    </td>
  )
}

export interface TableView {
  name: string
  address: string
  isHere: boolean
  /** How many rows it has; not given where nobody counts them. */
  count?: number
}

/** The saved views of a table, with how many rows each has. One row that scrolls on a phone. */
export function TableViews({ views }: { views: TableView[] }) {
  return (
    <nav aria-label={m.table_views()}>
      <ul className="relative -mx-4 flex gap-2 overflow-x-auto px-4 pb-1 md:mx-0 md:flex-wrap md:px-0">
        {views.map(({ name, address, isHere, count }) => (
          <li key={address} className="shrink-0">
            <a
              href={address}
              aria-current={isHere ? 'true' : undefined}
              className="usual-filter gap-2 aria-[current=true]:bg-leaf aria-[current=true]:text-white"
            >
              {name}
              {count !== undefined && <b className="tabular-nums">{count.toLocaleString('en-IN')}</b>}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

interface PagesProps {
  page: number
  perPage: number
  /** All rows of the view. */
  count: number
  pageAddress: (page: number) => string
}

/** Below a table: which rows these are, and the pages before and after. */
export function TablePages({ page, perPage, count, pageAddress }: PagesProps) {
  if (page === 1 && count <= perPage) return null
  const from = (page - 1) * perPage + 1
  const to = Math.min(count, page * perPage)
  return (
    <nav aria-label={m.users_pages()} className="flex flex-wrap items-center gap-2">
      {page > 1 && (
        <a href={pageAddress(page - 1)} rel="prev" className="button-plain">
          {m.table_previous()}
        </a>
      )}
      {from <= to && <span className="px-2 tabular-nums">{m.table_rows({ from, to, count: count.toLocaleString('en-IN') })}</span>}
      {to < count && (
        <a href={pageAddress(page + 1)} rel="next" className="button-plain">
          {m.own_next_page()}
        </a>
      )}
    </nav>
  )
}
