import jsQR from 'jsqr'
import sharp from 'sharp'
import { pdfStreams } from './pdf-text.ts'

/** Dots of one module: plenty for a reader. */
const DOTS = 6

/**
 * What a camera reads off a PDF: its black squares are drawn and given to a reader of QR codes. Squares of our typesetter are paths of
 * four whole-numbered corners; nothing else on our papers is.
 */
export async function pdfQrText(file: Buffer): Promise<string> {
  const square = /^(\d+ \d+) m\n(\d+ \d+) l\n(\d+ \d+) l\n(\d+ \d+) l\nh$/gm
  const squares = pdfStreams(file).flatMap((stream) => [...stream.matchAll(square)].map((found) => found.slice(1)))
  const corners = squares.flat().map((corner) => corner.split(' ').map(Number) as [number, number])
  // The first square is the ground of the whole code; the modules stand on it.
  const side = Math.max(...corners.flat())
  const step = Math.min(...squares.map(([from, to]) => Number(to!.split(' ')[0]) - Number(from!.split(' ')[0])))
  const modules = squares.filter(([from]) => from !== '0 0').map((path) => `M${path.join('L')}Z`)
  const size = ((side + 2 * step) / step) * DOTS
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side + 2 * step} ${side + 2 * step}" width="${size}" height="${size}" shape-rendering="crispEdges"><rect width="100%" height="100%" fill="#fff"/><path d="${modules.join('')}"/></svg>`
  const { data, info } = await sharp(Buffer.from(svg)).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  const read = jsQR(new Uint8ClampedArray(data), info.width, info.height)
  if (!read) throw new Error('No QR code can be read off the PDF.')
  return read.data
}
