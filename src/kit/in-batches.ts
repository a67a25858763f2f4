/** Does `act` for each item, so many at once. Stops at the first failure, once those that run have ended. */
export async function inBatches<T>(items: AsyncIterable<T>, atOnce: number, act: (item: T) => Promise<void>): Promise<void> {
  let batch: T[] = []
  async function flush(): Promise<void> {
    // All of them are waited for: one that is left running would fail where nobody hears it.
    const done = await Promise.allSettled(batch.map(act))
    batch = []
    for (const each of done) if (each.status === 'rejected') throw each.reason
  }
  for await (const item of items) if (batch.push(item) >= atOnce) await flush()
  await flush()
}
