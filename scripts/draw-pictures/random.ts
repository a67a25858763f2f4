// The same seed gives the same picture on every machine: nothing here uses the clock or Math.random.

export type Random = () => number

/** A small generator (mulberry32) of numbers from 0 up to 1. */
export function randomFrom(seed: string): Random {
  let state = 2166136261
  for (const letter of seed) state = Math.imul(state ^ letter.charCodeAt(0), 16777619)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

export const between = (random: Random, low: number, high: number): number => low + random() * (high - low)

/** Numbers for SVG text: one decimal place is a tenth of a pixel. */
export const n1 = (value: number): string => String(Math.round(value * 10) / 10)
export const n2 = (value: number): string => String(Math.round(value * 100) / 100)
