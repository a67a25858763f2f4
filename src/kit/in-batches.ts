/** Runs `act` for each item, `atOnce` in parallel. Stops at the first failure after the running ones have ended. */
export async function inBatches<T>(items: AsyncIterable<T>, atOnce: number, act: (item: T) => Promise<void>): Promise<void> {
  let batch: T[] = []
  async function flush(): Promise<void> {
    // Await all of them: a rejection of one left running would be unhandled.
    const done = await Promise.allSettled(batch.map(act))
    batch = []
    for (const each of done) if (each.status === 'rejected') throw each.reason
  }
  for await (const item of items) if (batch.push(item) >= atOnce) await flush()
  await flush()
}
