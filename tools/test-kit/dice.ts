/** A seeded random generator, so every run makes the same files. A throw returns a whole number below `max`. */
export function dice(seed: number): (max: number) => number {
  let state = seed * 2_654_435_761 + 1
  return (max) => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e37) >>> 0
    return state % max
  }
}
