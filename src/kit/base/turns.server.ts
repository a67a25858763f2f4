import PQueue from 'p-queue'
import { Problem } from './problem.ts'

/** Limits concurrency and queues the rest: `const inTurn = turns({ atOnce: 2 })`. Throws UNAVAILABLE when `mostWaiting` already wait. */
export function turns({ atOnce, mostWaiting = Infinity }: { atOnce: number; mostWaiting?: number }) {
  const queue = new PQueue({ concurrency: atOnce })
  return async <T>(work: () => Promise<T>): Promise<T> => {
    const mustWait = queue.pending >= atOnce
    if (mustWait && queue.size >= mostWaiting) throw new Problem('UNAVAILABLE', { retryAfterSeconds: 2 })
    return queue.add(work)
  }
}
