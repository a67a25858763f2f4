// Race tests use these to force the interleaving in which the naive version fails.

/** Something that happens once and that others wait for. */
export function signal(): { given: Promise<void>; give: () => void } {
  let give = () => {}
  const given = new Promise<void>((resolve) => (give = resolve))
  return { given, give }
}

/** A barrier that opens when `count` callers have arrived. Fewer wait for ever. */
export function meetingOf(count: number): () => Promise<void> {
  const complete = signal()
  let here = 0
  return () => {
    here += 1
    if (here === count) complete.give()
    return complete.given
  }
}
