import { m } from '#src/paraglide/messages.js'
import { PlotTable } from '#src/ui/plots.tsx'
import { TitledPanel } from '#src/ui/panels.tsx'
import type { OfficeData } from './office-view.server.ts'

/** A faint dot for every PIN code of Tamil Nadu, and a larger one where listings are live. */
export function OfficeMap({ map }: Pick<OfficeData, 'map'>) {
  return (
    <TitledPanel id="office-where" title={m.office_where()}>
      <svg data-plot="map" viewBox="0 0 180 230" role="img" aria-label={m.office_where()} className="mx-auto mt-2 w-full max-w-80">
        <path d={map.ground} className="stroke-line" strokeWidth="2" strokeLinecap="round" />
        {map.dots.map(({ x, y, radius, count, name }) => (
          <circle key={`${x},${y}`} cx={x} cy={y} r={radius} className="fill-leaf" fillOpacity="0.65">
            <title>{`${name}: ${count}`}</title>
          </circle>
        ))}
      </svg>
      <PlotTable
        caption={m.office_where()}
        heads={[m.office_district(), m.office_count()]}
        rows={map.districts.map(({ name, count }) => [name, count])}
      />
    </TitledPanel>
  )
}
