import { Problem } from '#src/kit/problem.ts'

interface Line {
  inside: number
  /** In order of arrival. */
  waiting: (() => void)[]
}

/**
 * Queues the buyers of one animal in this process, because each buyer who waits for the row lock in the database keeps a connection. One
 * buyer per animal is inside at a time. When that buyer gets STOCK_CHANGED, the queue opens: all waiting buyers enter together and get the
 * same answer, because the transaction does not wait for the row of an animal with too little stock. The row lock still decides, so several
 * processes, each with its own queues, never oversell.
 */
export class ListingLines {
  readonly #lines = new Map<number, Line>()

  /** Runs `act` when it has its turn in the queues of all these animals. */
  async inTurn<T>(listingIds: number[], act: () => Promise<T>): Promise<T> {
    // All buyers queue in the same order of ids, so queues cannot deadlock.
    const ids = [...new Set(listingIds)].toSorted((a, b) => a - b)
    for (const id of ids) await this.#enter(id)
    try {
      return await act()
    } catch (error) {
      if (error instanceof Problem && error.code === 'STOCK_CHANGED') for (const { product } of error.lines ?? []) this.#open(product)
      throw error
    } finally {
      for (const id of ids) this.#leave(id)
    }
  }

  async #enter(id: number): Promise<void> {
    const line = this.#lines.get(id)
    if (!line) this.#lines.set(id, { inside: 1, waiting: [] })
    else await new Promise<void>((resolve) => line.waiting.push(resolve))
  }

  #open(id: number): void {
    const line = this.#lines.get(id)
    if (!line) return
    line.inside += line.waiting.length
    for (const enter of line.waiting.splice(0)) enter()
  }

  #leave(id: number): void {
    const line = this.#lines.get(id)!
    line.inside -= 1
    if (line.inside > 0) return
    const next = line.waiting.shift()
    if (!next) this.#lines.delete(id)
    else {
      line.inside = 1
      next()
    }
  }
}
