import { placeName } from '#src/addresses/places.server.ts'
import { homeGround, onMap } from '#src/addresses/state-map.server.ts'
import type { Locale } from '#src/kit/text/locale.ts'
import type { Figures } from './office-figures.server.ts'

const LARGEST_DOT = 7
const SMALLEST_DOT = 1.5
const DISTRICTS_SHOWN = 40

/** Live listings on the map: dots whose area is proportional to the count, and the districts with the most listings. */
export function mapOf(places: Figures['places'], locale: Locale) {
  const most = Math.max(1, ...places.map(({ count }) => count))
  return {
    ground: homeGround(),
    dots: places.map(({ district, count, ...point }) => {
      const radius = SMALLEST_DOT + (LARGEST_DOT - SMALLEST_DOT) * Math.sqrt(count / most)
      return { ...onMap(point), radius: Math.round(radius * 10) / 10, count, name: placeName(district, locale) }
    }),
    districts: [...Map.groupBy(places, ({ district }) => district)]
      .map(([district, each]) => ({ name: placeName(district, locale), count: each.reduce((sum, { count }) => sum + count, 0) }))
      .toSorted((a, b) => b.count - a.count)
      .slice(0, DISTRICTS_SHOWN),
  }
}
