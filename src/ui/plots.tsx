import { m } from '#src/paraglide/messages.js'

/** The data of a plot as a folded table, for screen readers and for people who want the figures. */
export function PlotTable({ caption, heads, rows }: { caption: string; heads: string[]; rows: (string | number)[][] }) {
  return (
    <details className="mt-2 text-sm">
      <summary className="tap-link">{m.plot_table()}</summary>
      <div className="overflow-x-auto" tabIndex={0} role="group" aria-label={caption}>
        <table className="w-full text-left">
          <caption className="sr-only">{caption}</caption>
          <thead>
            <tr className="text-stone">
              {heads.map((head, n) => (
                <th key={head} scope="col" className={n > 0 ? 'px-2 py-1 text-right font-semibold' : 'py-1 font-semibold'}>
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(([name, ...figures]) => (
              <tr key={name} className="border-t border-line">
                <th scope="row" className="py-1 font-normal">
                  {name}
                </th>
                {figures.map((figure, n) => (
                  <td key={n} className="px-2 py-1 text-right tabular-nums">
                    {figure}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  )
}

type PlotTone = 'leaf' | 'turmeric' | 'brick'
const fills: Record<PlotTone, string> = { leaf: 'fill-leaf', turmeric: 'fill-turmeric', brick: 'fill-brick' }

/** Stacked bars on one scale. Each row shows its total, and colours mean the same in every row. */
export function BarRows({ rows }: { rows: { name: string; parts: { tone: PlotTone; value: number }[] }[] }) {
  const sumOf = (parts: { value: number }[]) => parts.reduce((sum, { value }) => sum + value, 0)
  const most = Math.max(1, ...rows.map(({ parts }) => sumOf(parts)))
  return (
    <ul aria-hidden="true" data-plot="bars" className="mt-2 space-y-1.5">
      {rows.map(({ name, parts }) => (
        <li key={name} className="grid grid-cols-[minmax(0,11rem)_1fr_auto] items-center gap-2 text-sm leading-tight">
          <span>{name}</span>
          <svg viewBox="0 0 100 8" preserveAspectRatio="none" className="h-3.5 w-full">
            {parts.map(({ tone, value }, n) => (
              <rect
                key={tone}
                x={(100 * sumOf(parts.slice(0, n))) / most}
                width={(100 * value) / most}
                height="8"
                className={fills[tone]}
              />
            ))}
          </svg>
          <b className="min-w-10 text-right tabular-nums">{sumOf(parts).toLocaleString('en-IN')}</b>
        </li>
      ))}
    </ul>
  )
}

const COLUMN_HEIGHT = 60

/** In a dense plot, one of this many columns has its label. */
const DENSE_EVERY = 5

/**
 * Columns over time, oldest first, each with its label below and its value above. `isDense`: there is no room for that, so only every fifth column,
 * counted from the last, has a label.
 */
export function Columns({ columns, isDense = false }: { columns: { label: string; value: number; shown: string }[]; isDense?: boolean }) {
  const isLabelled = (n: number) => !isDense || (columns.length - 1 - n) % DENSE_EVERY === 0
  const most = Math.max(1, ...columns.map(({ value }) => value))
  return (
    <div
      aria-hidden="true"
      data-plot="columns"
      className={`mt-3 grid auto-cols-fr grid-flow-col items-end text-center text-xs ${isDense ? 'gap-0.5' : 'gap-1.5'}`}
    >
      {columns.map(({ label, value, shown }, n) => (
        <div key={label} className="flex min-w-0 flex-col items-stretch gap-1">
          {!isDense && <span className="tabular-nums">{value > 0 ? shown : ''}</span>}
          <svg viewBox={`0 0 10 ${COLUMN_HEIGHT}`} preserveAspectRatio="none" className="h-20 w-full">
            <rect y={COLUMN_HEIGHT - 0.6} width="10" height="0.6" className="fill-line" />
            <rect y={COLUMN_HEIGHT * (1 - value / most)} width="10" height={(COLUMN_HEIGHT * value) / most} className="fill-leaf" />
          </svg>
          <span className={isDense ? 'h-4 whitespace-nowrap text-stone' : 'text-stone'}>{isLabelled(n) && label}</span>
        </div>
      ))}
    </div>
  )
}
