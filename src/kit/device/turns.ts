import { Problem } from '#src/kit/problem.ts'

/**
 * Limits concurrency and queues the rest: `const inTurn = turns({ atOnce: 2 })`. With `mostWaiting`, whoever comes after so many is
 * UNAVAILABLE.
 */
export function turns({ atOnce, mostWaiting = Infinity }: { atOnce: number; mostWaiting?: number }) {
  const waiting: (() => void)[] = []
  let running = 0
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running < atOnce) running += 1
    else if (waiting.length >= mostWaiting) throw new Problem('UNAVAILABLE', { retryAfterSeconds: 2 })
    // The one that ends passes its place on, so `running` stays as it is.
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
