import { scope } from './scope.ts'

/** The worker waits so long for the browser's caches and cookies. */
const LIMIT_MS = 1500
/** After that wait, all uses fail at once for so long: a page with many pictures waits only once. */
const REST_MS = 30_000

let restsUntil = 0

/** Rejects when the browser does not answer in time. */
export async function inTime<T>(ask: () => Promise<T>): Promise<T> {
  if (Date.now() < restsUntil) throw new Error('the browser rests')
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      restsUntil = Date.now() + REST_MS
      reject(new Error('the browser is late'))
    }, LIMIT_MS)
  })
  try {
    return await Promise.race([ask(), late])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * No page waits for a cache that never answers: a look into it then finds nothing, and every other use fails.
 * Workbox uses the browser's caches directly, so this changes the browser's own object.
 */
export function limitCaches(): void {
  const { caches } = scope
  const { match, open, keys, delete: remove } = caches
  Object.assign(caches, {
    match: (...args: Parameters<typeof match>) => inTime(() => match.apply(caches, args)).catch(() => undefined),
    open: (name: string) => inTime(() => open.call(caches, name)),
    keys: () => inTime(() => keys.call(caches)),
    delete: (name: string) => inTime(() => remove.call(caches, name)),
  })
}
