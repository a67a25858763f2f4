import { m } from '#src/paraglide/messages.js'

/** The nine steps as a drawing in three lanes, from top to bottom. The text below says the same in words. */
const LANE = 114
const STEP = 84
const BOX = { width: 106, height: 54 }
const TOP = 36
const LINE_HEIGHT = 17

interface Step {
  number: number
  lane: 0 | 1 | 2
  row: number
  text: () => string
}

const steps: Step[] = [
  { number: 1, lane: 0, row: 0, text: m.page_chart_1 },
  { number: 2, lane: 1, row: 0, text: m.page_chart_2 },
  { number: 3, lane: 1, row: 1, text: m.page_chart_3 },
  { number: 4, lane: 2, row: 1, text: m.page_chart_4 },
  { number: 5, lane: 2, row: 2, text: m.page_chart_5 },
  { number: 6, lane: 0, row: 2, text: m.page_chart_6 },
  { number: 7, lane: 1, row: 3, text: m.page_chart_7 },
  { number: 8, lane: 2, row: 4, text: m.page_chart_8 },
  { number: 9, lane: 2, row: 5, text: m.page_chart_9 },
]

const left = (lane: number) => lane * LANE + (LANE - BOX.width) / 2
const middle = (lane: number) => lane * LANE + LANE / 2
const top = (row: number) => TOP + row * STEP
const WIDTH = LANE * 3
/** Ends below the last row. */
const HEIGHT = TOP + 5 * STEP + BOX.height + 10

/** At most two lines, broken at a blank near the middle. */
function linesOf(text: string): string[] {
  const words = text.split(' ')
  if (words.length < 2 || text.length <= 9) return [text]
  const cuts = words.slice(1).map((_, at) => [words.slice(0, at + 1).join(' '), words.slice(at + 1).join(' ')] as const)
  const longer = (cut: readonly [string, string]) => Math.max(cut[0].length, cut[1].length)
  return [...cuts.toSorted((a, b) => longer(a) - longer(b))[0]!]
}

const arrowHeads = [
  ['how-end', '#1f5c3a'],
  ['how-back', '#a93f22'],
]

export function HowChart() {
  const lanes = [m.page_chart_seller(), m.page_chart_us(), m.page_chart_buyer()]
  return (
    <figure className="panel light-sheet overflow-hidden p-3 md:p-6">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={m.page_chart()}
        className="mx-auto block w-full max-w-2xl"
        fontSize="13.5"
      >
        <defs>
          {arrowHeads.map(([id, color]) => (
            <marker key={id} id={id} viewBox="0 0 8 8" refX="7" refY="4" markerWidth="6" markerHeight="6" orient="auto">
              <path d="M0 0 8 4 0 8z" fill={color} />
            </marker>
          ))}
        </defs>
        {lanes.map((name, lane) => (
          <g key={name}>
            <rect x={lane * LANE + 2} y="0" width={LANE - 4} height={HEIGHT} rx="10" fill={lane === 1 ? '#e6f0e6' : '#fbf6ea'} />
            <text x={middle(lane)} y="20" textAnchor="middle" fontWeight="700" fontSize="15" fill="#1f5c3a">
              {name}
            </text>
          </g>
        ))}
        <g fill="none" stroke="#1f5c3a" strokeWidth="1.6" markerEnd="url(#how-end)">
          <path d={across(0, 1, 0)} />
          <path d={down(1, 0, 1)} />
          <path d={across(1, 2, 1)} />
          <path d={down(2, 1, 2)} />
          <path d={`M${left(2)} ${top(2) + BOX.height / 2}H${left(0) + BOX.width + 3}`} />
          <path d={corner(0, 2, 1, 3)} />
          <path d={`M${left(1) + BOX.width} ${top(3) + BOX.height / 2}H${middle(2)}V${top(4) - 3}`} />
          <path d={down(2, 4, 5)} />
          <path
            d={`M${left(2)} ${top(4) + BOX.height / 2}H${left(0) + BOX.width + 3}`}
            stroke="#a93f22"
            strokeDasharray="4 3"
            markerEnd="url(#how-back)"
          />
        </g>
        {linesOf(m.page_chart_no()).map((line, at) => (
          <text key={line} x={middle(1)} y={top(4) + BOX.height / 2 - 7 + at * 24} textAnchor="middle" fill="#a93f22" fontWeight="600">
            {line}
          </text>
        ))}
        <text x={middle(2) + 6} y={top(5) - 10} fill="#1f5c3a" fontWeight="600">
          {m.page_chart_yes()}
        </text>
        <Box x={left(0)} y={top(4)} text={m.page_chart_back()} isEnd />
        {steps.map(({ number, lane, row, text }) => (
          <Box key={number} x={left(lane)} y={top(row)} text={text()} number={number} />
        ))}
      </svg>
    </figure>
  )
}

const across = (from: number, to: number, row: number) => `M${left(from) + BOX.width} ${top(row) + BOX.height / 2}H${left(to) - 3}`
const down = (lane: number, from: number, to: number) => `M${middle(lane)} ${top(from) + BOX.height}V${top(to) - 3}`
/** A line down from a box, then sideways into a box of the next lane. */
const corner = (lane: number, row: number, toLane: number, toRow: number) =>
  `M${middle(lane)} ${top(row) + BOX.height}V${top(toRow) + BOX.height / 2}H${left(toLane) - 3}`

function Box({ x, y, text, number, isEnd = false }: { x: number; y: number; text: string; number?: number; isEnd?: boolean }) {
  const lines = linesOf(text)
  return (
    <g>
      <rect x={x} y={y} width={BOX.width} height={BOX.height} rx="8" fill="#fffdf8" stroke={isEnd ? '#a93f22' : '#1f5c3a'} />
      {number !== undefined && (
        <>
          <circle cx={x + 2} cy={y + 2} r="9" fill="#f2b01e" />
          <text x={x + 2} y={y + 6} textAnchor="middle" fontWeight="700" fill="#1e1b16">
            {number}
          </text>
        </>
      )}
      {lines.map((line, at) => (
        <text
          key={line}
          x={x + BOX.width / 2}
          y={y + BOX.height / 2 + 5 + (at - (lines.length - 1) / 2) * LINE_HEIGHT}
          textAnchor="middle"
          fill="#1e1b16"
        >
          {line}
        </text>
      ))}
    </g>
  )
}
