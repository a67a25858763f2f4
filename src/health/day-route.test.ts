import { expect, test } from 'vitest'
import { lengthOf, mapLinks, shortRoute } from './day-route.ts'

/** A point on a straight road, in tenths of a degree. */
const place = (at: number | null) => ({ at: at === null ? null : { lat: 11, lon: 77 + at / 10 }, name: at })
const routeOf = (start: number | null, ...stops: (number | null)[]) =>
  shortRoute(
    place(start).at,
    stops.map((at, n) => ({ id: n, ...place(at) })),
  )
const namesOf = (route: ReturnType<typeof routeOf>) => route.map(({ stop }) => stop.name)

test('a short route visits all stops from the start', () => {
  expect(namesOf(routeOf(0, 5, 1, 9, 3))).toEqual([1, 3, 5, 9])
  // Nearest-first would go back and forth: 1, then all the way to -2.
  expect(namesOf(routeOf(0, 1, -2, 9, 5))).toEqual([-2, 1, 5, 9])
  expect(routeOf(0)).toEqual([])
})

// The admins may let a vet hold a hundred animals. Trying every order of twenty would never end.
test('a route through all animals that a vet may hold comes to an end', () => {
  const stops = Array.from({ length: 20 }, (_, n) => (n * 7) % 20)
  expect(namesOf(routeOf(-1, ...stops))).toEqual(stops.toSorted((a, b) => a - b))
  expect(routeOf(-1, ...Array.from({ length: 100 }, (_, n) => n))).toHaveLength(100)
})

test('each leg gives its distance from the previous stop', () => {
  const route = routeOf(0, 2, 1)
  expect(route.map(({ kilometres }) => kilometres)).toEqual([11, 11])
  expect(lengthOf(route)).toBe(22)
})

test('without a start, only the stops decide', () => {
  const route = routeOf(null, 5, 1, 3)
  expect(route[0]!.kilometres).toBeNull()
  expect(lengthOf(route)).toBe(44)
})

test('a stop with an unknown place comes last', () => {
  const route = routeOf(0, null, 4, 2)
  expect(namesOf(route)).toEqual([2, 4, null])
  expect(route[2]!.kilometres).toBeNull()
})

test('the map links contain all stops in order, ten in each', () => {
  const links = (count: number) =>
    mapLinks(Array.from({ length: count }, (_, n) => place(n + 1).at!)).map(({ stops, address }) => {
      const query = new URL(address).searchParams
      return [stops, query.get('waypoints')?.split('|').length ?? 0, query.get('destination')]
    })
  expect(links(0)).toEqual([])
  expect(links(1)).toEqual([['1', 0, '11,77.1']])
  expect(links(10)).toEqual([['1–10', 9, '11,78']])
  expect(links(23)).toEqual([
    ['1–10', 9, '11,78'],
    ['11–20', 9, '11,79'],
    ['21–23', 2, '11,79.3'],
  ])
  const query = new URL(mapLinks([1, 2, 3].map((at) => place(at).at!))[0]!.address).searchParams
  expect([query.get('waypoints'), query.get('destination')]).toEqual(['11,77.1|11,77.2', '11,77.3'])
})
