import { setImmediate } from 'node:timers/promises'
import { Problem } from './problem.ts'

/** Never more in the queue than this, however quick the work seems: each holds a connection and what it has sent. */
const MOST_WAITING = 32
/** Above this lateness the process is too busy to promise anything (safety.md §3). */
const TOO_LATE_MS = 200
/** Looks at the network between two who are let in: Node lets in one new connection at each, and refusals must be quick. */
const LOOKS = 10
/** How much one more stay changes what we expect of the next. */
const WEIGHT = 0.1

interface GateOptions {
  atOnce: number
  waitAtMostMs: number
  retryAfterSeconds: number
  /** How late the process comes to its own appointments. Measured, unless told otherwise. */
  latenessMs?: () => number
}

/**
 * The door to costly work: so many at once, and a queue no longer than people will stand in. Who would wait too long is told
 * so at once (UNAVAILABLE), while refusing is still cheap; work that is begun is then finished in good time.
 */
export class Gate {
  readonly #atOnce: number
  readonly #waitAtMostMs: number
  readonly #retryAfterSeconds: number
  readonly #latenessMs: () => number
  readonly #waiting: { since: number; enter: () => void; refuse: (problem: Problem) => void }[] = []
  #inside = 0
  #lastTurn: Promise<void> = Promise.resolve()
  /** How long one stays inside, of late. Guessed at the beginning: a wrong guess corrects itself. */
  #stayMs = 20

  constructor({ atOnce, waitAtMostMs, retryAfterSeconds, latenessMs = processLatenessMs }: GateOptions) {
    this.#atOnce = atOnce
    this.#waitAtMostMs = waitAtMostMs
    this.#retryAfterSeconds = retryAfterSeconds
    this.#latenessMs = latenessMs
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    await this.#enter()
    const began = performance.now()
    try {
      await (this.#lastTurn = this.#lastTurn.then(lookAround))
      return await work()
    } finally {
      this.#stayMs += (performance.now() - began - this.#stayMs) * WEIGHT
      this.#leave()
    }
  }

  async #enter(): Promise<void> {
    // A lone visitor is always let in: there is nobody to be kept from him.
    if (this.#inside > 0 && this.#latenessMs() > TOO_LATE_MS) throw this.#refusal()
    if (this.#inside < this.#atOnce) {
      this.#inside += 1
      return
    }
    const expectedMs = ((this.#waiting.length + 1) * this.#stayMs) / this.#atOnce
    if (this.#waiting.length >= MOST_WAITING || expectedMs > this.#waitAtMostMs) throw this.#refusal()
    await new Promise<void>((enter, refuse) => this.#waiting.push({ since: performance.now(), enter, refuse }))
  }

  /** The place goes to the next who has not waited in vain already, so `#inside` stays as it is. */
  #leave(): void {
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) {
      if (performance.now() - next.since < 2 * this.#waitAtMostMs) return next.enter()
      next.refuse(this.#refusal())
    }
    this.#inside -= 1
  }

  #refusal = () => new Problem('UNAVAILABLE', { retryAfterSeconds: this.#retryAfterSeconds })
}

async function lookAround(): Promise<void> {
  for (let look = 0; look < LOOKS; look += 1) await setImmediate()
}

const BEAT_MS = 50
let late: { ms: number } | undefined

/** How late this process comes to its own appointments, smoothed: one long task is no crowd. */
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
