// Race tests use these helpers to force the interleaving in which the naive version fails.

/** An event that happens once and that others await. */
export function signal(): { given: Promise<void>; give: () => void } {
  let give = () => {}
  const given = new Promise<void>((resolve) => (give = resolve))
  return { given, give }
}

/** A barrier that opens when `count` callers have arrived. Fewer callers wait for ever. */
export function meetingOf(count: number): () => Promise<void> {
  const complete = signal()
  let arrived = 0
  return () => {
    arrived += 1
    if (arrived === count) complete.give()
    return complete.given
  }
}
