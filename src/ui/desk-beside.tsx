import { useEffect, useRef, type ComponentProps, type ReactNode } from 'react'
import { m } from '#src/paraglide/messages.js'
import { tableAddress } from './desk-query.ts'
import { DeskTable, TablePages } from './desk-table.tsx'
import { FormFailure } from './form-failure.tsx'
import { Icon } from './icon.tsx'
import { useLocalPath } from './language.ts'
import { Link } from './link.tsx'
import { useFocusOnError } from './use-focus-on-error.ts'

const PANEL = 'open-row'

interface BesideProps {
  panel: ReactNode
  /** True when the URL names the open row: a narrow screen then shows the panel instead of the table. Otherwise it shows the table. */
  isChosen: boolean
  children: ReactNode
}

export const DeskBeside = ({ panel, isChosen, children }: BesideProps) => (
  <div className={panel ? 'grid items-start gap-4 xl:grid-cols-[minmax(0,1fr)_27rem]' : ''}>
    <div className={`min-w-0 space-y-3 ${panel && isChosen ? 'max-xl:hidden' : ''}`}>{children}</div>
    {/* Always the same elements: opening the row of the open case must not lose the text typed there. */}
    {panel && <div className={isChosen ? 'contents' : 'contents max-xl:hidden'}>{panel}</div>}
  </div>
)

interface PanelProps {
  label: string
  /** The URL of the same table without an open row. */
  closed: string
  /** Whether a wide screen can close the panel too. A queue always has its next case open. */
  canClose: boolean
  /** A refused decision about this case. The panel is long, so its wrong field or the refusal gets the focus. */
  refusal?: object | undefined
  children: ReactNode
}

export const DeskPanel = ({ label, closed, canClose, refusal, children }: PanelProps) => (
  <section
    ref={useFocusOnError<HTMLElement>(refusal)}
    id={PANEL}
    tabIndex={-1}
    aria-label={label}
    className="min-w-0 scroll-mt-4 outline-none xl:sticky xl:top-2 xl:max-h-[calc(100dvh-1rem)] xl:overflow-y-auto"
  >
    <Link to={closed} preventScrollReset className={`tap-link mb-1 gap-1 font-semibold ${canClose ? '' : 'xl:hidden'}`}>
      <Icon name="back" size={18} className="xl:hidden" />
      <span className="xl:hidden">{m.orders_panel_back()}</span>
      <Icon name="close" size={18} className="max-xl:hidden" />
      <span className="max-xl:hidden">{m.close()}</span>
    </Link>
    {children}
  </section>
)

/** Opening a row by tap or key moves the focus into its panel; closing moves it back to the row. A page load does not move the focus. */
export function useFocusOfPanel(row: string | number | null): void {
  const last = useRef(row)
  useEffect(() => {
    if (last.current === row) return
    const place = row === null ? document.querySelector<HTMLElement>(`[data-row-link="${last.current}"]`) : document.getElementById(PANEL)
    // On a slow computer the person may already type in the panel.
    if (!place?.contains(document.activeElement)) place?.focus()
    last.current = row
  }, [row])
}

interface Refusal {
  code: string
  detail: string
  typed: Record<string, string>
  errors: Record<string, string>
}

interface LostProps {
  refused: Omit<Refusal, 'errors'>
  /** The text for a case that is not here any more. */
  gone: string
}

/** A refused decision about a case that is not open any more: the refusal, and the typed note or reason, which may serve elsewhere. */
export function LostDecision({ refused: { code, detail, typed }, gone }: LostProps) {
  const text = typed.note || typed.reason || typed.comment
  return (
    <div className="space-y-2">
      <FormFailure detail={code === 'NOT_FOUND' ? gone : detail} />
      {text && (
        <p className="note break-words whitespace-pre-line">
          <b>{m.desk_typed()}</b> {text}
        </p>
      )}
    </div>
  )
}

/** The key N of a queue focuses the answer field of the open case. */
const answerKey = { n: () => document.getElementById(PANEL)?.querySelector('textarea')?.focus() }

/** A case that a form of its panel decides: the form's URL, which opens the same case, and its refusal. */
export interface CaseForm {
  action: string
  refused: Refusal | undefined
}

interface QueueProps<Row> extends Pick<ComponentProps<typeof DeskTable<Row>>, 'caption' | 'columns' | 'rows' | 'keyOf' | 'keysText'> {
  /** The text of an empty table. */
  none: ReactNode
  path: string
  /** The choices in the URL of this queue. */
  choices?: Record<string, string | null>
  /** The URL parameter with the key of the open row. */
  parameter: string
  pages: { page: number; perPage: number; count: number }
  /** The open case, by the key of its row. */
  open: { key: string | number; label: string; isChosen: boolean } | null
  canClose?: boolean
  refused: Refusal | undefined
  children: (form: CaseForm) => ReactNode
}

/** A page of a queue's table, and beside it the open case. */
export function DeskQueue<Row>({ none, path, choices, parameter, pages, open, canClose = false, ...props }: QueueProps<Row>) {
  const { refused, children, ...table } = props
  const to = useLocalPath()
  const { page } = pages
  const address = (changes: Record<string, string | number>) =>
    to(tableAddress(path, { ...choices, page: page > 1 ? page : null, ...changes }))
  const addressOf = (key: string | number) => address({ [parameter]: key })
  useFocusOfPanel(open?.isChosen ? open.key : null)
  const panel = open && (
    <DeskPanel label={open.label} closed={address({})} canClose={canClose} refusal={refused}>
      {children({ action: addressOf(open.key), refused })}
    </DeskPanel>
  )
  return (
    <DeskBeside panel={panel} isChosen={open?.isChosen ?? false}>
      {table.rows.length === 0 ? (
        <p className="panel p-4">{none}</p>
      ) : (
        <DeskTable
          keys={answerKey}
          keysText={m.queue_keys()}
          {...table}
          addressOf={(row) => addressOf(table.keyOf(row))}
          isOpen={(row) => table.keyOf(row) === open?.key}
        />
      )}
      <TablePages {...pages} pageAddress={(page) => address({ page })} />
    </DeskBeside>
  )
}
