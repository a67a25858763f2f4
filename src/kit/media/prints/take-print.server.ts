import { setImmediate as pause } from 'node:timers/promises'
import { turns } from '#src/kit/base/turns.server.ts'
import { loadSharp } from '#src/kit/media/sharp.server.ts'
import { describeSpot } from './describe-spot.ts'
import { findSpots, type Grey, type Spot } from './find-spots.ts'
import { KEPT_SIDE, SEARCHED_SIDE, type Print } from './print.ts'

/** The number of stored spots per octave: small spots are many, large ones survive a crop. The total fits a byte. */
const quota = new Map([
  [1, 48],
  [2, 40],
  [4, 24],
  [8, 12],
  [16, 6],
])
/** Limits the spots per cell of a 5 × 5 grid, so that they cover the whole picture. */
const CELLS = 5
const PER_CELL = 9

const inTurn = turns({ atOnce: 1 })

/** Takes the print of a stored picture. It needs 60 ms of one core, in pieces between which the process answers requests. */
export const printOf = (picture: Buffer): Promise<Print> =>
  inTurn(async () => {
    const grey = await greyOf(picture, SEARCHED_SIDE)
    const marks = []
    for (const spot of spread(await findSpots(grey, pause), grey)) {
      const { x, y, size, angle } = spot
      marks.push({ x, y, size, angle, words: describeSpot(spot) })
      if (marks.length % 20 === 0) await pause()
    }
    return { width: grey.width, height: grey.height, marks, small: await greyOf(picture, KEPT_SIDE) }
  })

async function greyOf(picture: Buffer, side: number): Promise<Grey> {
  const sharp = await loadSharp()
  const shrunk = sharp(picture, { failOn: 'error' }).resize(side, side, { fit: 'inside' }).toColourspace('b-w')
  const { data, info } = await shrunk.raw().toBuffer({ resolveWithObject: true })
  return { width: info.width, height: info.height, data: Float32Array.from(data, (value) => value / 255) }
}

/** The strongest spots of every size, spread over the picture. */
function spread(spots: Spot[], { width, height }: Grey): Spot[] {
  const taken = new Map<string, number>()
  const hasRoom = (place: string, room: number) => (taken.get(place) ?? 0) < room
  return spots
    .toSorted((a, b) => b.strength - a.strength)
    .filter(({ x, y, step }) => {
      const octave = `octave ${step}`
      const cell = `${octave} ${Math.floor((x / width) * CELLS)} ${Math.floor((y / height) * CELLS)}`
      if (!hasRoom(octave, quota.get(step) ?? 0) || !hasRoom(cell, PER_CELL)) return false
      for (const place of [octave, cell]) taken.set(place, (taken.get(place) ?? 0) + 1)
      return true
    })
}
