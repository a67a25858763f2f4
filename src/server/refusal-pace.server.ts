import type { MiddlewareHandler } from 'hono'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import type { AppEnv } from './request.server.ts'

/** Refusals per second that an address gets without delay: a village behind one carrier's address notices nothing. */
const AT_ONCE = 20

/**
 * Delays further refusals (429 and 503) until the second is over. A refusal is cheap, but a client that is refused at once retries at once:
 * sixty connections caused three thousand refusals a second, and left the process no time to render pages (decision 0036).
 */
export function pacedRefusals(): MiddlewareHandler<AppEnv> {
  const atOnce = new RateLimiterMemory({ points: AT_ONCE, duration: 1 })
  return async (c, next) => {
    await next()
    if (c.res.status !== 429 && c.res.status !== 503) return
    await atOnce.consume(c.var.address).catch((full: unknown) => {
      if (!(full instanceof RateLimiterRes)) throw full
      return new Promise((resolve) => setTimeout(resolve, full.msBeforeNext))
    })
  }
}
