import { expect, test } from 'vitest'
import { findPincode } from '#src/addresses/places.server.ts'
import { mapOfDesk } from './desk-map.server.ts'

const ERODE = findPincode('638011')
const POLLACHI = findPincode('642001')
const SALEM = findPincode('636001')
const map = (animals: Parameters<typeof mapOfDesk>[0]['animals'], stops = [SALEM], start = ERODE) =>
  mapOfDesk({ animals, stops, start }, 'en')

test('counts the animals of each place, and shows the way from the vet’s place', () => {
  const { places, stops, home } = map([POLLACHI, ERODE, POLLACHI, null])!
  expect(places).toMatchObject([
    { name: 'Pollachi', count: 2, isNamed: true },
    { name: 'Erode', count: 1, isNamed: true },
  ])
  expect(stops).toMatchObject([{ name: 'Salem' }])
  expect(home).toMatchObject({ name: 'Erode' })
})

test('the square contains every point with a margin, and at least the surroundings of one place', () => {
  const { box, places, stops } = map([POLLACHI, ERODE])!
  const [left, top, side] = box.split(' ').map(Number) as [number, number, number]
  for (const { x, y } of [...places, ...stops]) {
    expect(Math.min(x - left, left + side - x)).toBeGreaterThan(side / 20)
    expect(Math.min(y - top, top + side - y)).toBeGreaterThan(side / 20)
  }
  expect(map([POLLACHI], [], POLLACHI)!.box).toMatch(/ 18\.0 18\.0$/)
})

test('the ground has only the places within the square', () => {
  const dots = (ground: string) => ground.split('M').length
  expect(dots(map([POLLACHI], [], POLLACHI)!.ground)).toBeLessThan(dots(map([POLLACHI, SALEM])!.ground))
})

test('writes no name over another, and starts or ends it within the border', () => {
  const near = findPincode('642002')
  const { places } = map([POLLACHI, POLLACHI, near, SALEM], [])!
  expect(places.map(({ isNamed }) => isNamed)).toEqual([true, false, true])
  expect(new Set(places.map(({ anchor }) => anchor))).toEqual(new Set(['start', 'end']))
})

test('is null when no place is known', () => {
  expect(map([null])).toBeNull()
  expect(map([])).toBeNull()
})
