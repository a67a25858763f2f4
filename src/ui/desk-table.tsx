import { useState, type ReactNode } from 'react'
import { useLocation } from 'react-router'
import { COLUMNS_KEY, deskOf, ruleOf } from '#src/kit/device/desk-columns.ts'
import { storeText, textOnDevice } from '#src/kit/device/storage.ts'
import { m } from '#src/paraglide/messages.js'
import { Choice } from './choice.tsx'
import { sortText, type Sort } from './desk-query.ts'
import { Link } from './link.tsx'
import { SingleKeys } from './single-keys.tsx'

export interface Column<Row> {
  id: string
  label: string
  cell: (row: Row) => ReactNode
  /** The table can be sorted by this column; the value is the order of the first tap. */
  sorts?: 'up' | 'down'
  isNumber?: boolean
  /** A class with the column's share of the table: longer text is clipped. */
  width?: string
  /** Hidden on narrower screens, except on a card. */
  from?: 'lg' | 'xl'
  /** On a card: `bare` shows the value without its label; `never` hides the column. A card also hides a figure of zero. */
  onCard?: 'bare' | 'never'
  /** The column has an act: nobody can hide it. */
  isFixed?: true
}

interface TableProps<Row> {
  caption: string
  /** The first column names the row and links to its page. */
  columns: Column<Row>[]
  rows: Row[]
  keyOf: (row: Row) => string | number
  /** The page of a row, in the reader's language. */
  addressOf: (row: Row) => string
  sort?: Sort<string>
  /** The URL of the table in another order; `sort` is the URL value. */
  sortAddress?: (sort: string) => string
  /** A checkbox in front of the row's name. */
  lead?: (row: Row) => ReactNode
  /** The row that is open beside the table. With scripts, its page opens in place. */
  isOpen?: (row: Row) => boolean
  keys?: Record<string, () => void>
  keysText?: string
  /** Stays visible at the lower edge of a wide screen, and of a phone while a row is ticked. */
  foot?: ReactNode
}

/**
 * A desk's table. Its headings are sort links. On a phone each row is a card and the sort links are above. Its keys are those of
 * single-keys.tsx. The server renders all of it, and everything except the keys works without scripts.
 */
export function DeskTable<Row>({ caption, columns, rows, sort, sortAddress, keys, keysText, foot, ...rowProps }: TableProps<Row>) {
  const { keyOf } = rowProps
  return (
    <div className="space-y-2">
      <table className="group/table panel block w-full text-left md:table">
        <caption className="sr-only">{caption}</caption>
        <thead
          className={`border-b border-line bg-husk-dark text-sm md:sticky md:top-0 md:z-10 md:table-header-group ${
            sortAddress ? 'block' : 'max-md:sr-only'
          }`}
        >
          <tr
            data-sort={sortAddress && `${m.list_sort()}:`}
            className="relative flex items-center gap-x-4 overflow-x-auto px-4 before:shrink-0 before:text-stone before:content-[attr(data-sort)] md:table-row md:before:hidden"
          >
            {rowProps.lead && (
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
            <TableRow key={keyOf(row)} rowKey={keyOf(row)} row={row} columns={columns} {...rowProps} />
          ))}
        </tbody>
      </table>
      <div data-desk-foot className="row gap-x-4 gap-y-1 bg-husk md:sticky md:bottom-0 md:z-10 md:py-1 short:static">
        <TableColumns columns={columns} />
        {foot}
        <SingleKeys text={keysText} actOf={(key) => keys?.[key]} />
      </div>
    </div>
  )
}

type RowProps<Row> = Pick<TableProps<Row>, 'columns' | 'addressOf' | 'lead' | 'isOpen'> & {
  row: Row
  rowKey: string | number
}

/** A row of 36 pixels where the pointer is a mouse, of 44 where it is a finger. */
const line = 'md:h-9 md:py-1 md:align-middle md:whitespace-nowrap pointer-coarse:md:h-11'
const clipped = (width: string | undefined) => (width ? `md:max-w-0 md:truncate ${width}` : '')
const hiddenBelow = { lg: 'md:max-lg:hidden', xl: 'md:max-xl:hidden' }
/** A clipped name shows some letters at least. Beside an open row, the other columns are as narrow as their content. */
const NAME = 'md:min-w-40 xl:group-has-[[aria-current=true]]/table:w-1/2'
/** A clipped text can be read as its title. */
const titleOf = (width: string | undefined, text: ReactNode) => (width && typeof text === 'string' ? text : undefined)

function TableRow<Row>({ row, rowKey, columns, addressOf, lead, isOpen }: RowProps<Row>) {
  const [title, ...others] = columns as [Column<Row>, ...Column<Row>[]]
  const name = title.cell(row)
  const link = {
    'data-row-link': rowKey,
    className: 'link -my-1.5 inline-block py-2.5 font-semibold break-words md:inline md:py-0',
  }
  return (
    <tr
      className={`flex flex-wrap gap-x-4 border-b border-line px-4 py-3 last:border-0 focus-within:bg-leaf-soft hover:bg-leaf-soft md:table-row ${isOpen?.(row) ? 'xl:bg-leaf-soft' : ''}`}
    >
      {lead && <td className="align-top md:pl-3 md:align-middle">{lead(row)}</td>}
      <td
        title={titleOf(title.width, name)}
        className={`min-w-0 align-top md:pr-2 ${line} ${clipped(title.width)} ${title.width ? NAME : ''} ${lead ? 'basis-[calc(100%-4rem)] md:pl-2' : 'basis-full md:pl-4'}`}
      >
        {isOpen ? (
          <Link to={addressOf(row)} aria-current={isOpen(row) ? 'true' : undefined} preventScrollReset {...link}>
            {name}
          </Link>
        ) : (
          <a href={addressOf(row)} {...link}>
            {name}
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
  const { id, label, sorts, isNumber, from, width = '' } = column
  const side = `${width} ${isNumber ? 'md:text-right' : ''} ${from ? hiddenBelow[from] : ''}`
  // A phone shows only sortable headings, because each card labels its own figures.
  if (!sorts || !sortAddress)
    return (
      <th
        scope="col"
        data-col={id}
        className={`sr-only align-bottom leading-tight font-semibold md:not-sr-only md:table-cell md:px-2 md:py-2 md:first:pl-4 md:last:pr-4 ${side}`}
      >
        {label}
      </th>
    )
  const isHere = sort?.by === id
  const isDown = isHere ? !sort.isDown : sorts === 'down'
  return (
    <th
      scope="col"
      data-col={id}
      aria-sort={isHere ? (sort.isDown ? 'descending' : 'ascending') : undefined}
      className={`shrink-0 align-bottom font-semibold md:px-2 md:py-0 md:first:pl-4 md:last:pr-4 ${side}`}
    >
      <a
        href={sortAddress(sortText({ by: id, isDown }))}
        className={`inline-flex min-h-11 items-center gap-1 leading-tight hover:underline max-md:min-w-11 md:min-h-9 ${isNumber ? 'md:flex-row-reverse' : ''} ${isHere ? 'text-leaf' : ''}`}
      >
        {label}
        {isHere && <span aria-hidden="true">{sort.isDown ? '↓' : '↑'}</span>}
      </a>
    </th>
  )
}

function Cell<Row>({ column, row }: { column: Column<Row>; row: Row }) {
  const content = column.cell(row)
  const { isNumber, label, onCard, from, width } = column
  const isLeftOut = onCard === 'never' || content === null || content === '' || content === 0
  return (
    <td
      data-col={column.id}
      title={titleOf(width, content)}
      className={`${isLeftOut ? 'max-md:hidden' : ''} min-w-0 align-top text-sm md:px-2 md:last:pr-4 ${line} ${clipped(width)} ${isNumber ? 'tabular-nums md:text-right' : ''} ${from ? hiddenBelow[from] : ''}`}
    >
      {onCard !== 'bare' && <span className="text-stone md:hidden">{label}: </span>}
      {content}
    </td>
  )
}

const small = 'min-h-9 gap-2 text-sm pointer-coarse:min-h-11'

/** The columns that a person sees at this desk on this device. The first one names the row and stays. */
function TableColumns<Row>({ columns: [, ...columns] }: { columns: Column<Row>[] }) {
  const key = COLUMNS_KEY + deskOf(useLocation().pathname)
  /** Null while the choice is folded. */
  const [hidden, setHidden] = useState<string[] | null>(null)
  if (columns.length < 4) return null
  const hide = (ids: string[]) => {
    setHidden(ids)
    storeText(key, ids.join(' ') || null)
    document.adoptedStyleSheets[0]?.replaceSync(ruleOf(ids.join(' ')))
  }
  const box = ({ id, label }: Column<Row>, hidden: string[]) => (
    <Choice
      key={id}
      type="checkbox"
      checked={!hidden.includes(id)}
      onChange={({ target }) => hide([...hidden.filter((each) => each !== id), ...(target.checked ? [] : [id])])}
      className={small}
    >
      {label}
    </Choice>
  )
  return (
    <details
      onToggle={({ currentTarget }) => setHidden(currentTarget.open ? (textOnDevice(key)?.split(' ') ?? []) : null)}
      className="max-md:hidden noscript:hidden open:basis-full"
    >
      <summary className={`flex unmarked items-center font-semibold text-leaf ${small}`}>{m.table_columns()} ▾</summary>
      <div className="row gap-x-4">{hidden && columns.map((column) => !column.isFixed && box(column, hidden))}</div>
    </details>
  )
}

interface TableView {
  name: string
  address: string
  isHere: boolean
  /** The number of rows; omitted when it is not counted. */
  count?: number
}

/** The saved views of a table with their row counts, in a line that scrolls on a phone. */
export function TableViews({ views, label = m.table_views() }: { views: TableView[]; label?: string }) {
  return (
    <nav aria-label={label}>
      <ul className="relative -mx-4 flex gap-2 overflow-x-auto px-4 pb-1 md:mx-0 md:flex-wrap md:gap-1 md:px-0 md:pb-0">
        {views.map(({ name, address, isHere, count }) => (
          <li key={address} className="shrink-0">
            <a
              href={address}
              aria-current={isHere ? 'true' : undefined}
              className="usual-filter gap-2 md:min-h-8 md:gap-1 md:px-2 pointer-coarse:md:min-h-11 aria-[current=true]:bg-leaf aria-[current=true]:text-white"
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
  count: number
  pageAddress: (page: number) => string
}

/** Below a table: the visible row range and links to the neighbouring pages. */
export function TablePages({ page, perPage, count, pageAddress }: PagesProps) {
  if (page === 1 && count <= perPage) return null
  const from = (page - 1) * perPage + 1
  const to = Math.min(count, page * perPage)
  return (
    <nav aria-label={m.users_pages()} className="flex flex-wrap items-center gap-2 md:text-sm">
      {page > 1 && (
        <a href={pageAddress(page - 1)} rel="prev" className="button-plain md:min-h-9 md:px-3 md:py-1">
          {m.table_previous()}
        </a>
      )}
      {from <= to && <span className="px-2 tabular-nums">{m.table_rows({ from, to, count: count.toLocaleString('en-IN') })}</span>}
      {to < count && (
        <a href={pageAddress(page + 1)} rel="next" className="button-plain md:min-h-9 md:px-3 md:py-1">
          {m.own_next_page()}
        </a>
      )}
    </nav>
  )
}
