import { expect, test } from 'vitest'
import { costOf, kilometresOf, sequenceOf, type Stop } from './sequence.ts'

/** On a straight road, in hundredths of a degree. */
const stop = (orderId: number, kind: Stop['kind'], place: number | null, window: number | null = null): Stop => ({
  orderId,
  kind,
  at: place === null ? null : { lat: 11, lon: 77 + place / 100 },
  window,
})
const wayOf = (stops: Stop[]) => sequenceOf(stops).map(({ orderId, kind }) => `${kind} ${orderId}`)

test('fetches each order before its delivery, on the shortest route', () => {
  const stops = [stop(1, 'bring', 30), stop(1, 'fetch', 0), stop(2, 'bring', 20), stop(2, 'fetch', 10)]
  expect(wayOf(stops)).toEqual(['fetch 1', 'fetch 2', 'bring 2', 'bring 1'])
})

test('an order that the bearer already carries has only its delivery stop', () => {
  expect(wayOf([stop(1, 'bring', 5), stop(2, 'fetch', 0), stop(2, 'bring', 9)])).toEqual(['fetch 2', 'bring 1', 'bring 2'])
  expect(wayOf([stop(1, 'bring', 5)])).toEqual(['bring 1'])
  expect(wayOf([])).toEqual([])
})

test('deliveries of the morning precede those of the evening at any distance', () => {
  const stops = [stop(1, 'fetch', 0), stop(1, 'bring', 1, 2), stop(2, 'fetch', 2), stop(2, 'bring', 90, 0)]
  const way = wayOf(stops)
  expect(way.indexOf('bring 2')).toBeLessThan(way.indexOf('bring 1'))
})

/** Half of the orders are for the morning, half for the evening, and the nearest ones are for the evening. */
const longDay = (orders: number) =>
  Array.from({ length: orders }, (_, n) => n + 1).flatMap((id) => [
    stop(id, 'fetch', (id * 37) % 100),
    stop(id, 'bring', (id * 53) % 90, id % 2 === 0 ? 0 : 2),
  ])

test.each([20, 21, 300])('deliveries of the morning come before those of the evening with %i orders, too', (orders) => {
  const tour = sequenceOf(longDay(orders))
  expect(tour).toHaveLength(2 * orders)
  const windows = tour.flatMap(({ window }) => window ?? [])
  expect(windows).toEqual(windows.toSorted())
  for (const [n, { kind, orderId }] of tour.entries())
    if (kind === 'fetch') expect(tour.slice(0, n).some((before) => before.orderId === orderId)).toBe(false)
})

test.each([2, 30])('a day with %i orders begins at the stop that is nearest to the bearer', (orders) => {
  const stops = Array.from({ length: orders }, (_, n) => stop(n + 1, 'bring', n * 3))
  const from = { lat: 11, lon: 77 + (orders * 3) / 100 }
  const ids = (of: Stop[]) => of.map(({ orderId }) => orderId)
  expect(ids(sequenceOf(stops, from))).toEqual(ids(stops).toReversed())
})

test('the kilometres are those between known places, from the bearer on', () => {
  const tour = [stop(1, 'fetch', 0), stop(2, 'bring', null), stop(1, 'bring', 100)]
  // A degree of longitude has 109.2 km at 11 degrees north.
  expect(kilometresOf(tour)).toBeCloseTo(109.2, 0)
  expect(kilometresOf(tour, { lat: 11, lon: 76 })).toBeCloseTo(218.4, 0)
  expect(kilometresOf([])).toBe(0)
  expect(kilometresOf([], { lat: 11, lon: 76 })).toBe(0)
})

test('loads all animals of one place before it leaves', () => {
  const stops = [1, 2, 3].flatMap((id) => [stop(id, 'fetch', 0), stop(id, 'bring', 0)])
  expect(wayOf(stops).slice(0, 3)).toEqual(['fetch 1', 'fetch 2', 'fetch 3'])
})

test('a place without coordinates still gets its stop', () => {
  expect(wayOf([stop(1, 'fetch', null), stop(1, 'bring', null), stop(2, 'fetch', 3), stop(2, 'bring', 4)])).toHaveLength(4)
})

test('finds a sequence within ten percent of the shortest one for all small tours', () => {
  // A fixed pseudo-random sequence keeps the test deterministic.
  let seed = 7
  const next = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below
  const far: { found: number; best: number }[] = []
  for (let n = 0; n < 40; n++) {
    const stops = [1, 2, 3].flatMap((id) => [stop(id, 'fetch', next(200)), stop(id, 'bring', next(200))])
    const possible = permutations(stops).filter((tour) =>
      tour.every(({ kind, orderId }, at) => kind === 'fetch' || tour.slice(0, at).some((each) => each.orderId === orderId)),
    )
    const [found, best] = [costOf(sequenceOf(stops)), Math.min(...possible.map((tour) => costOf(tour)))]
    // Local search may miss the optimum; ten percent more is acceptable.
    if (found > best * 1.1 + 1e-6) far.push({ found, best })
  }
  expect(far).toEqual([])
})

test('does not depend on the order of its input', () => {
  const stops = [1, 2, 3, 4].flatMap((id) => [stop(id, 'fetch', (id * 37) % 50), stop(id, 'bring', (id * 53) % 60)])
  expect(costOf(sequenceOf(stops.toReversed()))).toBeCloseTo(costOf(sequenceOf(stops)), 6)
})

function permutations<T>(all: T[]): T[][] {
  if (all.length < 2) return [all]
  return all.flatMap((one, n) => permutations(all.toSpliced(n, 1)).map((rest) => [one, ...rest]))
}
