/** A point. Distances are straight lines, for orientation and not for freight. */
export interface Point {
  lat: number
  lon: number
}

/**
 * Stored points scale the longitude by the cosine of 11° north, so that a degree has about the same length in both directions in Tamil Nadu
 * and the database's plain point distance sorts by nearness (within 1 % there, within 12 % in the far north).
 */
const LON_SCALE = 0.9816
export const KM_PER_DEGREE = 111.2

/** About ten metres: makes the distances of listings in one PIN code distinct, because paging uses the distance alone. */
const SPREAD_DEGREES = 0.0002

export const spread = (point: Point, random: () => number = Math.random): Point => ({
  lat: point.lat + (random() - 0.5) * SPREAD_DEGREES,
  lon: point.lon + (random() - 0.5) * SPREAD_DEGREES,
})

export const toStoredPoint = (point: Point): [number, number] => [point.lon * LON_SCALE, point.lat]
/** Parses the database's `(x,y)`. */
export function readStoredPoint(text: string): Point {
  const [x, y] = text.slice(1, -1).split(',').map(Number)
  return { lon: x! / LON_SCALE, lat: y! }
}

/** Great-circle distance in whole kilometres. */
export function kilometresBetween(a: Point, b: Point): number {
  const radians = (degrees: number) => (degrees * Math.PI) / 180
  const dLat = radians(b.lat - a.lat)
  const dLon = radians(b.lon - a.lon)
  const h = Math.sin(dLat / 2) ** 2 + Math.cos(radians(a.lat)) * Math.cos(radians(b.lat)) * Math.sin(dLon / 2) ** 2
  return Math.round(2 * 6371 * Math.asin(Math.sqrt(h)))
}

/** A square of about eleven kilometres, for the address of a list: no exact position ever leaves the phone. */
export const cellOf = ({ lat, lon }: Point): string => `${lat.toFixed(1)},${lon.toFixed(1)}`
export function readCell(text: string): Point | null {
  const [, lat, lon] = /^(-?\d{1,2}\.\d),(-?\d{1,3}\.\d)$/.exec(text) ?? []
  return lat && lon ? { lat: Number(lat), lon: Number(lon) } : null
}
