import PQueue from 'p-queue'
import { Problem } from '#src/kit/base/problem.ts'

/**
 * Queues the buyers of one animal in this process, because each buyer who waits for the row lock in the database keeps a connection. One
 * buyer per animal is inside at a time. When that buyer gets STOCK_CHANGED, all waiting buyers enter together and get the same answer,
 * because the transaction does not wait for the row of an animal with too little stock. The row lock still decides, so several processes,
 * each with its own queues, never oversell.
 */
export class ListingMutex {
  readonly #queues = new Map<number, PQueue>()

  /** Runs `act` when it has its turn in the queues of all these animals. */
  async inTurn<T>(listingIds: number[], act: () => Promise<T>): Promise<T> {
    // All buyers queue in the same order of ids, so queues cannot deadlock.
    const ids = [...new Set(listingIds)].toSorted((a, b) => a - b)
    const leave: (() => void)[] = []
    for (const id of ids) leave.push(await this.#enter(id))
    try {
      return await act()
    } catch (error) {
      if (error instanceof Problem && error.code === 'STOCK_CHANGED') for (const { product } of error.lines ?? []) this.#letAllIn(product)
      throw error
    } finally {
      for (const each of leave) each()
    }
  }

  /** Returns how to leave. `act` stays outside the queue's own callbacks, which run in the async context of another request. */
  #enter(id: number): Promise<() => void> {
    const queue = this.#queues.get(id) ?? new PQueue({ concurrency: 1 }).on('idle', () => this.#queues.delete(id))
    this.#queues.set(id, queue)
    return new Promise((enter) => void queue.add(() => new Promise<void>(enter)))
  }

  #letAllIn(id: number): void {
    const queue = this.#queues.get(id)
    if (!queue) return
    queue.concurrency = Infinity
    // Later buyers wait again until all of these have left.
    queue.concurrency = 1
  }
}
