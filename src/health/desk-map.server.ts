import { placeName, type findPincode } from '#src/addresses/places.server.ts'
import { homeGround, onMap, type OnMap } from '#src/addresses/state-map.server.ts'
import type { Locale } from '#src/kit/text/locale.ts'

/** Half of the shortest side in units of the map, about 25 km: animals of one place need their surroundings, too. */
const LEAST = 9
/** Lines of text that fit one above the other. */
const LINES = 20

type Place = ReturnType<typeof findPincode>

interface Drawn {
  /** PIN codes of the animals of this page, one for each animal. */
  animals: Place[]
  /** The vet's own stops in their order. */
  stops: Place[]
  start: Place
}

/** A square map of the vet's place, their stops and the page's animals. Null when no animal's place is known. */
export function mapOfDesk({ animals, stops, start }: Drawn, locale: Locale) {
  const at = (row: Place) => (row?.point ? [{ ...onMap(row.point), name: placeName(row.taluk, locale) }] : [])
  const byPlace = Map.groupBy(animals.flatMap(at), ({ x, y }) => `${x} ${y}`)
  const places = [...byPlace.values()].flatMap(([one, ...more]) => (one ? [{ ...one, count: 1 + more.length }] : []))
  if (places.length === 0) return null
  const way = stops.flatMap(at)
  const [home = null] = at(start)
  const box = boxOf([...places, ...way, ...(home ? [home] : [])])
  const { left, top, side } = box
  const isShown = ({ x, y }: OnMap) => x > left && y > top && x < left + side && y < top + side
  return {
    box: [left, top, side, side].map((figure) => figure.toFixed(1)).join(' '),
    line: side / LINES,
    ground: homeGround(isShown),
    places: withNames(places, box),
    stops: way,
    home,
  }
}

/** The square around these points, with a margin. */
function boxOf(points: OnMap[]) {
  const xs = points.map(({ x }) => x)
  const ys = points.map(({ y }) => y)
  const middle = (of: number[]) => (Math.min(...of) + Math.max(...of)) / 2
  const half = Math.max(LEAST, ...[xs, ys].map((of) => (Math.max(...of) - Math.min(...of)) / 1.6))
  return { left: middle(xs) - half, top: middle(ys) - half, side: 2 * half }
}

interface Counted extends OnMap {
  name: string
  count: number
}

/** Places with the most animals first. No written name covers an earlier one or crosses the border. */
function withNames(places: Counted[], { left, side }: ReturnType<typeof boxOf>) {
  const line = side / LINES
  const named: Counted[] = []
  return places
    .toSorted((a, b) => b.count - a.count)
    .map((place) => {
      const { x, y, name } = place
      const covers = (other: Counted) => Math.abs(y - other.y) < line && Math.abs(x - other.x) < (line * (name + other.name).length) / 3
      const isNamed = !named.some(covers)
      if (isNamed) named.push(place)
      const across = (x - left) / side
      const anchor: 'start' | 'middle' | 'end' = across < 0.2 ? 'start' : across > 0.8 ? 'end' : 'middle'
      return { ...place, isNamed, anchor }
    })
}

export type DeskMapData = NonNullable<ReturnType<typeof mapOfDesk>>
