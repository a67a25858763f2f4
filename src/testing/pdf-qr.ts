import jsQR from 'jsqr'
import { pdfStreams } from './pdf-text.ts'

/** Dots of one module: plenty for a reader. */
const DOTS = 6

/**
 * What a camera reads off a PDF: its black squares are rendered and given to a reader of QR codes. Squares of our typesetter are paths of
 * four whole-numbered corners; nothing else on our papers is.
 */
export async function pdfQrText(file: Buffer): Promise<string> {
  const square = /^(\d+ \d+) m\n(\d+ \d+) l\n(\d+ \d+) l\n(\d+ \d+) l\nh$/gm
  const squares = pdfStreams(file).flatMap((stream) => [...stream.matchAll(square)].map((found) => found.slice(1)))
  const corners = squares.flat().map((corner) => corner.split(' ').map(Number) as [number, number])
  // The first square is the ground of the whole code; the modules stand on it.
  const side = Math.max(...corners.flat())
  const step = Math.min(...squares.map(([from, to]) => Number(to!.split(' ')[0]) - Number(from!.split(' ')[0])))
  // A white rim of one module around it, as a reader wants.
  const across = (Math.round(side / step) + 2) * DOTS
  const data = new Uint8ClampedArray(across * across * 4).fill(255)
  for (const path of squares) {
    if (path[0] === '0 0') continue
    const at = path.map((corner) => corner.split(' ').map((place) => Math.round((Number(place) / step + 1) * DOTS)) as [number, number])
    const [left, right] = [Math.min(...at.map(([x]) => x)), Math.max(...at.map(([x]) => x))]
    const [top, bottom] = [Math.min(...at.map(([, y]) => y)), Math.max(...at.map(([, y]) => y))]
    for (let y = top; y < bottom; y++) for (let x = left; x < right; x++) data.fill(0, (y * across + x) * 4, (y * across + x) * 4 + 3)
  }
  const read = jsQR(data, across, across)
  if (!read) throw new Error('No QR code can be read off the PDF.')
  return read.data
}
