import { Problem } from '#src/kit/problem.ts'

interface Line {
  inside: number
  /** In the order they came. */
  waiting: (() => void)[]
}

/**
 * Buyers of the same animal stand in line in this process, and not in the database, where each of them would keep a connection waiting for
 * the animal's row. Of each animal one is inside at a time. Who hears there that too few are left opens the line: everybody behind goes in
 * together and hears the same, because the database waits for no animal with too few left. The row stays locked as it was, so several
 * processes sell no animal twice; each has lines of its own.
 */
export class ListingLines {
  readonly #lines = new Map<number, Line>()

  /** Does `act` when it is the turn of all of these animals. */
  async inTurn<T>(listingIds: number[], act: () => Promise<T>): Promise<T> {
    // In one order for everybody: nobody waits for somebody who waits for them.
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
