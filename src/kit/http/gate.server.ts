import { setImmediate } from 'node:timers/promises'
import { Problem } from '#src/kit/problem.ts'

/** Upper bound of a queue, unless it has another, however quick the work seems: each waiting request holds a connection and its body. */
const MOST_WAITING = 32
/** Above this event-loop lag the gate sheds load (safety.md §3). */
const TOO_LATE_MS = 200
/** Yields to the event loop between two admissions: Node accepts one connection at each, and refusals must be quick. */
const LOOKS = 10
/** Weight of the newest duration in the moving average. */
const WEIGHT = 0.1

interface GateOptions {
  atOnce: number
  waitAtMostMs: number
  retryAfterSeconds: number
  mostWaiting?: number
  /** How late the event loop runs its timers. Measured, unless given. */
  latenessMs?: () => number
}

/** A request in the queue of its address. */
interface Waiter {
  since: number
  enter: () => void
  refuse: (problem: Problem) => void
}

/**
 * The gate before costly work limits concurrency and the queue: a request that would wait too long is refused (UNAVAILABLE)
 * at once, while refusing is still cheap. So work that has begun is finished in good time.
 *
 * The queue is fair by address: addresses take turns, so one that floods the site waits behind itself and leaves the others their turn.
 */
export class Gate {
  readonly #atOnce: number
  readonly #waitAtMostMs: number
  readonly #retryAfterSeconds: number
  readonly #mostWaiting: number
  readonly #latenessMs: () => number
  /** By address, in the order of their turns. */
  readonly #waiting = new Map<string, Waiter[]>()
  readonly #insideOf = new Map<string, number>()
  #waitingCount = 0
  #inside = 0
  #lastTurn: Promise<void> = Promise.resolve()
  /** Moving average of how long a request stays inside. The first value is a guess, which corrects itself. */
  #stayMs = 20

  constructor({ atOnce, waitAtMostMs, retryAfterSeconds, mostWaiting = MOST_WAITING, latenessMs = processLatenessMs }: GateOptions) {
    this.#atOnce = atOnce
    this.#waitAtMostMs = waitAtMostMs
    this.#retryAfterSeconds = retryAfterSeconds
    this.#mostWaiting = mostWaiting
    this.#latenessMs = latenessMs
  }

  get inside(): number {
    return this.#inside
  }

  get waiting(): number {
    return this.#waitingCount
  }

  /** UNAVAILABLE when the queue is too long for `address`, or the process too busy. */
  async run<T>(address: string, work: () => Promise<T>): Promise<T> {
    await this.#enter(address)
    const began = performance.now()
    try {
      await (this.#lastTurn = this.#lastTurn.then(lookAround))
      return await work()
    } finally {
      this.#stayMs += (performance.now() - began - this.#stayMs) * WEIGHT
      this.#count(address, -1)
      this.#leave()
    }
  }

  async #enter(address: string): Promise<void> {
    if (this.#isTooLateFor(address)) throw this.#refusal()
    if (this.#inside < this.#atOnce) {
      this.#inside += 1
      this.#count(address, 1)
      return
    }
    if (this.#expectedWaitMs(address) > this.#waitAtMostMs) throw this.#refusal()
    if (this.#waitingCount >= this.#mostWaiting && !this.#makeRoomFor(address)) throw this.#refusal()
    await new Promise<void>((resolve, refuse) => {
      const enter = () => {
        this.#count(address, 1)
        resolve()
      }
      const own = this.#waiting.get(address)
      if (own) own.push({ since: performance.now(), enter, refuse })
      else this.#waiting.set(address, [{ since: performance.now(), enter, refuse }])
      this.#waitingCount += 1
    })
  }

  /** A busy process admits no address that is inside already, and others only while half empty. A lone visitor always gets in. */
  #isTooLateFor(address: string): boolean {
    if (this.#inside === 0 || this.#latenessMs() <= TOO_LATE_MS) return false
    const isThere = this.#insideOf.has(address) || this.#waiting.has(address)
    return isThere || this.#inside + this.#waitingCount >= this.#atOnce / 2
  }

  /** Round robin: before the next request of this address, each other address has as many turns, or as many as it has waiting. */
  #expectedWaitMs(address: string): number {
    const turns = (this.#waiting.get(address)?.length ?? 0) + 1
    let ahead = turns
    for (const [other, waiters] of this.#waiting) if (other !== address) ahead += Math.min(turns, waiters.length)
    return (ahead * this.#stayMs) / this.#atOnce
  }

  /** Refuses the last request of the longest queue, if that is longer than this address's own would be. */
  #makeRoomFor(address: string): boolean {
    const [longest, waiters] = [...this.#waiting].reduce((most, each) => (each[1].length > most[1].length ? each : most))
    if (longest === address || waiters.length <= (this.#waiting.get(address)?.length ?? 0) + 1) return false
    this.#waitingCount -= 1
    waiters.pop()!.refuse(this.#refusal())
    return true
  }

  /** Passes the slot to the next request that has not waited too long already, so `#inside` stays as it is. */
  #leave(): void {
    for (let next = this.#next(); next; next = this.#next()) {
      if (performance.now() - next.since < 2 * this.#waitAtMostMs) return next.enter()
      next.refuse(this.#refusal())
    }
    this.#inside -= 1
  }

  /** The first of the address whose turn it is; that address goes to the end of the turns. */
  #next(): Waiter | undefined {
    const turn = this.#waiting.entries().next().value
    if (!turn) return undefined
    const [address, waiters] = turn
    const next = waiters.shift()
    this.#waiting.delete(address)
    if (waiters.length > 0) this.#waiting.set(address, waiters)
    this.#waitingCount -= 1
    return next
  }

  #count(address: string, change: 1 | -1): void {
    const count = (this.#insideOf.get(address) ?? 0) + change
    if (count > 0) this.#insideOf.set(address, count)
    else this.#insideOf.delete(address)
  }

  #refusal = () => new Problem('UNAVAILABLE', { retryAfterSeconds: this.#retryAfterSeconds })
}

async function lookAround(): Promise<void> {
  for (let look = 0; look < LOOKS; look += 1) await setImmediate()
}

const BEAT_MS = 50
let late: { ms: number } | undefined

/** How late this process runs its timers, smoothed: one long task is no crowd. */
export function processLatenessMs(): number {
  if (!late) {
    const measured = (late = { ms: 0 })
    let due = performance.now() + BEAT_MS
    setInterval(() => {
      const now = performance.now()
      measured.ms += (Math.max(0, now - due) - measured.ms) * 0.3
      due = now + BEAT_MS
    }, BEAT_MS).unref()
  }
  return late.ms
}
