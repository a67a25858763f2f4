import { setImmediate } from 'node:timers/promises'
import { tally } from '#src/kit/base/tally.server.ts'
import { Problem } from '#src/kit/base/problem.ts'

/** The default upper bound of a queue, even when the work seems fast: each waiting request holds a connection and its body. */
const MOST_WAITING = 32
/** Above this event-loop lag the gate sheds load (safety.md §3). */
const TOO_LATE_MS = 200
/** Yields to the event loop this many times between two admissions: Node accepts one connection per turn, and refusals must be fast. */
const LOOKS = 10
/** While the process is late, one address may hold this share of the slots. A village or a family shares one address. */
const LATE_SHARE = 1 / 8
/** Each address may hold two slots, because a phone loads a page and its data at once. */
const LATE_LEAST = 2
/** Weight of the newest duration in the moving average. */
const WEIGHT = 0.1

interface GateOptions {
  /** The gate's name in the metrics. */
  name: string
  atOnce: number
  waitAtMostMs: number
  retryAfterSeconds: number
  mostWaiting?: number
  /** How late the event loop runs its timers; measured by default. */
  latenessMs?: () => number
}

/** A request in the queue of its address. */
interface Waiter {
  since: number
  enter: () => void
  refuse: (problem: Problem) => void
}

/**
 * The gate in front of costly work limits concurrency and the queue. It refuses a request that would wait too long (UNAVAILABLE) at once, while a
 * refusal is still cheap, so started work finishes in good time.
 * The queue is fair by address (round robin): an address that floods the site waits behind its own requests and does not delay the others.
 */
export class Gate {
  readonly #options: Required<GateOptions>
  /** By address, in the order of their turns. */
  readonly #waiting = new Map<string, Waiter[]>()
  readonly #insideOf = new Map<string, number>()
  #waitingCount = 0
  #inside = 0
  #lastTurn: Promise<void> = Promise.resolve()
  /** Moving average of the time inside the gate. The initial value is a guess that corrects itself. */
  #stayMs = 20

  constructor(options: GateOptions) {
    this.#options = { mostWaiting: MOST_WAITING, latenessMs: processLatenessMs, ...options }
  }

  get inside(): number {
    return this.#inside
  }

  get waiting(): number {
    return this.#waitingCount
  }

  /** Throws UNAVAILABLE when the queue is too long for `address` or the process too busy. */
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
    if (this.#isTooLateFor(address)) throw this.#refusal('late')
    if (this.#inside < this.#options.atOnce) {
      this.#inside += 1
      this.#count(address, 1)
      return
    }
    if (this.#expectedWaitMs(address) > this.#options.waitAtMostMs) throw this.#refusal('slow')
    if (this.#waitingCount >= this.#options.mostWaiting && !this.#makeRoomFor(address)) throw this.#refusal('full')
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

  /** A late process admits an address up to its share, and only while the gate is half empty. It always admits a lone visitor. */
  #isTooLateFor(address: string): boolean {
    if (this.#inside === 0 || this.#options.latenessMs() <= TOO_LATE_MS) return false
    const ofAddress = (this.#insideOf.get(address) ?? 0) + (this.#waiting.get(address)?.length ?? 0)
    const share = Math.max(LATE_LEAST, Math.floor(this.#options.atOnce * LATE_SHARE))
    return ofAddress >= share || this.#inside + this.#waitingCount >= this.#options.atOnce / 2
  }

  /** Round robin: before the next request of this address, each other address gets as many turns, at most its number of waiting requests. */
  #expectedWaitMs(address: string): number {
    const turns = (this.#waiting.get(address)?.length ?? 0) + 1
    let ahead = turns
    for (const [other, waiters] of this.#waiting) if (other !== address) ahead += Math.min(turns, waiters.length)
    return (ahead * this.#stayMs) / this.#options.atOnce
  }

  /** Refuses the last request of the longest queue if that queue is longer than this address's queue would be. */
  #makeRoomFor(address: string): boolean {
    const [longest, waiters] = [...this.#waiting].reduce((most, each) => (each[1].length > most[1].length ? each : most))
    if (longest === address || waiters.length <= (this.#waiting.get(address)?.length ?? 0) + 1) return false
    this.#waitingCount -= 1
    waiters.pop()!.refuse(this.#refusal('full'))
    return true
  }

  /** Passes the slot to the next request that has not waited too long, so `#inside` does not change. */
  #leave(): void {
    for (let next = this.#next(); next; next = this.#next()) {
      if (performance.now() - next.since < 2 * this.#options.waitAtMostMs) return next.enter()
      next.refuse(this.#refusal('waited'))
    }
    this.#inside -= 1
  }

  /** Takes the first request of the address whose turn it is, and moves that address to the end. */
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

  /** Counts the refusal by its cause. `slow`: the expected wait is too long; `waited`: the wait was. */
  #refusal(why: 'late' | 'slow' | 'full' | 'waited'): Problem {
    tally('sandhai_gate_refusals_total', { gate: this.#options.name, why })
    return new Problem('UNAVAILABLE', { retryAfterSeconds: this.#options.retryAfterSeconds })
  }
}

async function lookAround(): Promise<void> {
  for (let turn = 0; turn < LOOKS; turn += 1) await setImmediate()
}

const BEAT_MS = 50
let late: { ms: number } | undefined

/** The smoothed timer lateness of this process: a single long task must not count as overload. */
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
