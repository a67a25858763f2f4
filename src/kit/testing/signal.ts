// They make a certainty of the bad luck that the naive version in a race test needs.

/** Something that happens once and that others wait for. */
export function signal(): { given: Promise<void>; give: () => void } {
  let give = () => {}
  const given = new Promise<void>((resolve) => (give = resolve))
  return { given, give }
}

/** A point that nobody passes before `count` have come to it. Fewer wait for ever. */
export function meetingOf(count: number): () => Promise<void> {
  const complete = signal()
  let here = 0
  return () => {
    here += 1
    if (here === count) complete.give()
    return complete.given
  }
}
