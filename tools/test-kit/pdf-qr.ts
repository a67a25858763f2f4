import jsQR from 'jsqr'
import { pdfStreams } from './pdf-text.ts'

/** Pixels per module, plenty for a reader. */
const DOTS = 6

/**
 * Reads the QR code of a PDF: renders its black squares and passes them to a QR decoder. Our typesetter draws a square as a path of four integer
 * corners, and nothing else in our documents looks like that.
 */
export async function pdfQrText(file: Buffer): Promise<string> {
  const square = /^(\d+ \d+) m\n(\d+ \d+) l\n(\d+ \d+) l\n(\d+ \d+) l\nh$/gm
  const squares = pdfStreams(file).flatMap((stream) => [...stream.matchAll(square)].map((found) => found.slice(1)))
  const corners = squares.flat().map((corner) => corner.split(' ').map(Number) as [number, number])
  // The first square is the background of the whole code; the modules are on top of it.
  const side = Math.max(...corners.flat())
  const step = Math.min(...squares.map(([from, to]) => Number(to!.split(' ')[0]) - Number(from!.split(' ')[0])))
  // A white border of one module, which the decoder needs.
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
  if (!read) throw new Error('No QR code is readable in the PDF.')
  return read.data
}
