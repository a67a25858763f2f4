import { useEffect, useRef, type ReactNode } from 'react'
import { m } from '#src/paraglide/messages.js'
import { Icon } from './icon.tsx'
import { Link } from './link.tsx'

const PANEL = 'open-row'

interface BesideProps {
  /** The open row with all that can be done with it. */
  panel: ReactNode
  /** The address names the open row: on a narrow screen its panel stands in the table's place. Otherwise the table does. */
  isChosen: boolean
  children: ReactNode
}

/** A desk's table and, beside it, the row that is open. */
export const DeskBeside = ({ panel, isChosen, children }: BesideProps) => (
  <div className={panel ? 'grid items-start gap-4 xl:grid-cols-[minmax(0,1fr)_27rem]' : ''}>
    <div className={`min-w-0 space-y-3 ${panel && isChosen ? 'max-xl:hidden' : ''}`}>{children}</div>
    {panel && (isChosen ? panel : <div className="max-xl:hidden">{panel}</div>)}
  </div>
)

interface PanelProps {
  label: string
  /** The same table without an open row. */
  closed: string
  /** Whether the panel can be closed on a wide screen, too: a queue has its next case open. */
  canClose: boolean
  children: ReactNode
}

export const DeskPanel = ({ label, closed, canClose, children }: PanelProps) => (
  <section
    id={PANEL}
    tabIndex={-1}
    aria-label={label}
    className="min-w-0 scroll-mt-4 outline-none xl:sticky xl:top-2 xl:max-h-[calc(100dvh-1rem)] xl:overflow-y-auto"
  >
    <Link to={closed} preventScrollReset className={`tap-link mb-1 gap-1 font-semibold ${canClose ? '' : 'xl:hidden'}`}>
      <Icon name="back" size={18} className="xl:hidden" />
      <span className="xl:hidden">{m.orders_panel_back()}</span>
      <Icon name="close" size={18} className="max-xl:hidden" />
      <span className="max-xl:hidden">{m.orders_panel_close()}</span>
    </Link>
    {children}
  </section>
)

/** A tap or a key that opens a row leads into its panel, and out of it back to the row; the page itself leaves the focus alone. */
export function useFocusOfPanel(row: string | number | null): void {
  const last = useRef(row)
  useEffect(() => {
    if (last.current === row) return
    const place = row === null ? document.querySelector<HTMLElement>(`[data-row-link="${last.current}"]`) : document.getElementById(PANEL)
    place?.focus()
    last.current = row
  }, [row])
}

/** The key N of a queue: the cursor goes into the answer to the open case. */
export const answerKey = { n: () => document.getElementById(PANEL)?.querySelector('textarea')?.focus() }
