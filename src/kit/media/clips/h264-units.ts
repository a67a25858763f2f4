/** One H.264 picture as MP4 stores it: units, each preceded by its length. */

/** SEI units: hints for players, and the encoder's own user data. */
const NOTES = 6
/** The last defined type: pictures, parameter sets, end marks, padding. */
const LAST_KNOWN = 12

/** Removes the SEI units; null if the lengths do not add up, or a unit's type is unknown. */
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
