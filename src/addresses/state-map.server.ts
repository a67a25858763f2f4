import { readPincodes } from './places.server.ts'
import type { Point } from './places.ts'

/** North-west corner of Tamil Nadu in degrees; one unit of the map is a fortieth of a degree of latitude. */
const WEST = 76.1
const NORTH = 13.7
const UNITS = 40
/** At this latitude a degree of longitude is slightly shorter than one of latitude. */
const LONGITUDE = Math.cos((11 * Math.PI) / 180)

export interface OnMap {
  x: number
  y: number
}

/** Projects a point onto the map of Tamil Nadu, which is 180 units wide and 230 high, to a tenth of a unit. */
export const onMap = ({ lat, lon }: Point): OnMap => ({
  x: tenths((lon - WEST) * LONGITUDE * UNITS),
  y: tenths((NORTH - lat) * UNITS),
})

const tenths = (figure: number) => Math.round(figure * 10) / 10

let ground: OnMap[] | undefined

/** The places of Tamil Nadu with a PIN code as one SVG path of dots, each grid point once. */
export function homeGround(isShown: (point: OnMap) => boolean = () => true): string {
  ground ??= readPincodes().flatMap(({ point, state }) => (point && state === 'Tamil Nadu' ? [onMap(point)] : []))
  return [...new Set(ground.filter(isShown).map(({ x, y }) => `M${Math.round(x)} ${Math.round(y)}h0`))].join('')
}
