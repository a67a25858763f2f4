/** One picture of H.264 as MP4 has it: units, each after its length. */

/** Notes for players, and what an encoder writes for itself. */
const NOTES = 6
/** Pictures, parameter sets, marks of an end, padding. */
const LAST_KNOWN = 12

/** The same without its notes; null if the lengths do not add up, or a unit is none that a picture needs. */
export function withoutNotes(data: Uint8Array, lengthBytes: number): Uint8Array | null {
  const kept: Uint8Array[] = []
  let size = 0
  for (let at = 0; at < data.byteLength;) {
    if (at + lengthBytes > data.byteLength) return null
    let length = 0
    for (let n = 0; n < lengthBytes; n++) length = length * 256 + data[at + n]!
    const end = at + lengthBytes + length
    if (length === 0 || end > data.byteLength) return null
    const kind = data[at + lengthBytes]! & 31
    if (kind === 0 || kind > LAST_KNOWN) return null
    if (kind !== NOTES) size += kept.push(data.subarray(at, end)) && end - at
    at = end
  }
  if (kept.length === 0) return null
  const all = new Uint8Array(size)
  let to = 0
  for (const unit of kept) {
    all.set(unit, to)
    to += unit.byteLength
  }
  return all
}
