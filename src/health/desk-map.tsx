import { m } from '#src/paraglide/messages.js'
import { Icon } from '#src/ui/icon.tsx'
import type { DeskMapData } from './desk-map.server.ts'

/** The places of the page's animals. A ring is the vet's own, and a line leads through their stops. */
export function DeskMap({ map: { box, line, ground, places, stops, home } }: { map: DeskMapData }) {
  const way = [...(home ? [home] : []), ...stops].map(({ x, y }) => `${x},${y}`).join(' ')
  return (
    <details className="panel xl:unfolded xl:p-2">
      <summary className="fold-filters">
        <Icon name="pin" size={20} />
        {m.vet_map()}
      </summary>
      <svg viewBox={box} role="img" aria-label={m.vet_map()} className="mx-auto w-full max-w-96 overflow-hidden">
        <path d={ground} className="stroke-line" strokeWidth={line / 3} strokeLinecap="round" />
        <polyline points={way} className="fill-none stroke-leaf" strokeWidth={line / 8} />
        {places.map(({ x, y, name, count, isNamed, anchor }) => (
          <g key={`${x},${y}`} className="fill-ink" textAnchor="middle" fontSize={line * 0.8}>
            <title>{`${name}: ${count}`}</title>
            <circle cx={x} cy={y} r={line * 0.6} className="fill-turmeric" />
            <text x={x} y={y + line * 0.3}>
              {count}
            </text>
            {isNamed && (
              <text x={x} y={y + line * 1.4} textAnchor={anchor}>
                {name}
              </text>
            )}
          </g>
        ))}
        {home && <circle cx={home.x} cy={home.y} r={line * 0.8} className="fill-none stroke-leaf" strokeWidth={line / 5} />}
        {stops.map(({ x, y, name }, n) => (
          <g key={n} textAnchor="middle" fontSize={line * 0.8}>
            <title>{name}</title>
            <circle cx={x} cy={y} r={line * 0.6} className="fill-leaf" />
            <text x={x} y={y + line * 0.3} className="fill-white">
              {n + 1}
            </text>
          </g>
        ))}
      </svg>
    </details>
  )
}
