import { Problem } from '#src/kit/base/problem.ts'

/** The error of a transaction that ran out of time and was rolled back. */
const tooLate = () => new Problem('UNAVAILABLE', { reason: 'TOO_LATE', retryAfterSeconds: 2 })

/**
 * The deadline of one write request. A transaction that has not requested its commit by then never commits. So a person who reads "nothing was done"
 * can rely on it, even while statements still travel to a slow database.
 */
export class Deadline {
  #hasPassed = false
  #open = 0
  #isCommitting = false

  /** Wraps each transaction of the request. */
  async around<T>(transaction: () => Promise<T>): Promise<T> {
    if (this.#hasPassed) throw tooLate()
    this.#open += 1
    try {
      return await transaction()
    } finally {
      this.#open -= 1
      this.#isCommitting = false
    }
  }

  /** Call this last in a transaction: after it, the database decides whether the commit succeeds. */
  beforeCommit(): void {
    if (this.#hasPassed) throw tooLate()
    this.#isCommitting = true
  }

  /** Blocks all further commits. Returns the problem for the waiting client, or null while a commit is in progress: then wait for its outcome. */
  pass(): Problem | null {
    this.#hasPassed = true
    if (this.#isCommitting) return null
    // No transaction is open, so a single statement may or may not have taken effect.
    return this.#open > 0 ? tooLate() : new Problem('UNAVAILABLE', { retryAfterSeconds: 2 })
  }
}
