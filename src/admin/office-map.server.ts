import { placeName, readPincodes } from '#src/addresses/places.server.ts'
import type { Point } from '#src/addresses/places.ts'
import type { Locale } from '#src/kit/text/locale.ts'
import type { Figures } from './office-figures.server.ts'

/** North-west corner of Tamil Nadu in degrees; one unit of the map is a fortieth of a degree of latitude. */
const WEST = 76.1
const NORTH = 13.7
const UNITS = 40
/** At this latitude a degree of longitude is slightly shorter than one of latitude. */
const LONGITUDE = Math.cos((11 * Math.PI) / 180)

const LARGEST_DOT = 7
const SMALLEST_DOT = 1.5
const DISTRICTS_SHOWN = 40

/** Projects a point onto the map of Tamil Nadu, which is 180 units wide and 230 high. */
export const onMap = ({ lat, lon }: Point) => ({ x: (lon - WEST) * LONGITUDE * UNITS, y: (NORTH - lat) * UNITS })

/** Live listings on the map: dots whose area is proportional to the count, and the districts with the most listings. */
export function mapOf(places: Figures['places'], locale: Locale) {
  const most = Math.max(1, ...places.map(({ count }) => count))
  const tenths = (figure: number) => Math.round(figure * 10) / 10
  return {
    ground: homeGround(),
    dots: places.map(({ district, count, ...point }) => {
      const { x, y } = onMap(point)
      const radius = SMALLEST_DOT + (LARGEST_DOT - SMALLEST_DOT) * Math.sqrt(count / most)
      return { x: tenths(x), y: tenths(y), radius: tenths(radius), count, name: placeName(district, locale) }
    }),
    districts: [...Map.groupBy(places, ({ district }) => district)]
      .map(([district, each]) => ({ name: placeName(district, locale), count: each.reduce((sum, { count }) => sum + count, 0) }))
      .toSorted((a, b) => b.count - a.count)
      .slice(0, DISTRICTS_SHOWN),
  }
}

let ground: string | undefined

/** All places of Tamil Nadu with a PIN code as one SVG path of dots, each grid point once. Computed at first use. */
export function homeGround(): string {
  ground ??= [
    ...new Set(
      readPincodes().flatMap(({ point, state }) => {
        if (point === null || state !== 'Tamil Nadu') return []
        const { x, y } = onMap(point)
        return [`M${Math.round(x)} ${Math.round(y)}h0`]
      }),
    ),
  ].join('')
  return ground
}
