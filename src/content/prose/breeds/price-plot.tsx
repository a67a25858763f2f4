import { m } from '#src/paraglide/messages.js'
import type { KindShown } from './breed-view.server.ts'

const WIDTH = 320
const HEIGHT = 120
/** Space for the number above the highest bar. */
const ABOVE = 18

/** Listings per price step, as bars and as a table. Rendered on the server only. */
export function PricePlot({ steps }: { steps: NonNullable<KindShown['prices']> }) {
  const most = Math.max(...steps.map(({ count }) => count))
  const wide = WIDTH / steps.length
  return (
    <section className="panel overflow-hidden">
      <h2 className="panel-title text-lg">{m.breed_plot_title()}</h2>
      <div className="p-4">
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true" className="w-full max-w-md" fontSize="13" textAnchor="middle">
          {steps.map(({ from, count }, at) => {
            const high = count === 0 ? 1 : Math.max(4, ((HEIGHT - ABOVE) * count) / most)
            return (
              <g key={from}>
                <rect x={at * wide + 2} y={HEIGHT - high} width={wide - 4} height={high} rx="2" className="fill-leaf" />
                {count > 0 && (
                  <text x={(at + 0.5) * wide} y={HEIGHT - high - 5} className="fill-ink font-semibold">
                    {count}
                  </text>
                )}
              </g>
            )
          })}
        </svg>
        <p className="flex max-w-md justify-between text-sm">
          <span>{steps[0]!.from}</span>
          <span>{steps.at(-1)!.to}</span>
        </p>
        <p className="mt-1 text-sm text-stone">{m.breed_plot_lead()}</p>
        <details>
          <summary className="tap-link">{m.breed_plot_table()}</summary>
          <table className="w-full max-w-md text-left">
            <thead className="text-sm text-stone">
              <tr>
                <th scope="col">{m.breed_plot_price()}</th>
                <th scope="col" className="text-right">
                  {m.breed_plot_count()}
                </th>
              </tr>
            </thead>
            <tbody>
              {steps.map(({ from, to, count }) => (
                <tr key={from} className="border-t border-line">
                  <th scope="row" className="py-1 font-normal">
                    {m.breed_plot_step({ from, to })}
                  </th>
                  <td className="py-1 text-right font-semibold">{count}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </details>
      </div>
    </section>
  )
}
