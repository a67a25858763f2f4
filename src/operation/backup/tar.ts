/** Packs the files of one picture as a tar (POSIX ustar): some hundred kilobytes, held in memory. */
interface Packed {
  name: string
  bytes: Uint8Array
}

const BLOCK = 512
const NAME = [0, 100] as const
const SIZE = [124, 12] as const
const CHECKSUM = [148, 8] as const

const padding = (length: number) => Buffer.alloc((BLOCK - (length % BLOCK)) % BLOCK)
const octal = (value: number, length: number) => `${value.toString(8).padStart(length - 1, '0')}\0`
const sumOf = (header: Buffer) => header.reduce((sum, byte) => sum + byte, 0)

export function pack(files: Packed[]): Buffer {
  const parts = files.flatMap(({ name, bytes }) => {
    const header = Buffer.alloc(BLOCK)
    header.write(name, ...NAME)
    header.write(octal(0o644, 8), 100)
    header.write(octal(0, 8), 108)
    header.write(octal(0, 8), 116)
    header.write(octal(bytes.length, SIZE[1]), ...SIZE)
    header.write(octal(0, 12), 136)
    header.write(' '.repeat(CHECKSUM[1]), ...CHECKSUM)
    header.write('0', 156)
    header.write('ustar\u000000', 257)
    header.write(`${sumOf(header).toString(8).padStart(6, '0')}\0 `, ...CHECKSUM)
    return [header, bytes, padding(bytes.length)]
  })
  return Buffer.concat([...parts, Buffer.alloc(2 * BLOCK)])
}

/** Null when the buffer is no tar of ours. */
export function unpack(tar: Buffer): Packed[] | null {
  const files: Packed[] = []
  for (let at = 0; at + BLOCK <= tar.length;) {
    const header = Buffer.from(tar.subarray(at, at + BLOCK))
    if (header.every((byte) => byte === 0)) return files
    const text = ([from, length]: readonly [number, number]) => header.toString('utf8', from, from + length).replace(/[\0 ].*$/s, '')
    const [sum, size, name] = [Number.parseInt(text(CHECKSUM), 8), Number.parseInt(text(SIZE), 8), text(NAME)]
    header.fill(' ', CHECKSUM[0], CHECKSUM[0] + CHECKSUM[1])
    at += BLOCK
    if (sumOf(header) !== sum || Number.isNaN(size) || at + size > tar.length) return null
    files.push({ name, bytes: tar.subarray(at, at + size) })
    at += size + ((BLOCK - (size % BLOCK)) % BLOCK)
  }
  return null
}
