import type { MiddlewareHandler } from 'hono'
import { observeSeconds, tally } from '#src/kit/base/tally.server.ts'
import type { Log } from '#src/kit/base/log.server.ts'
import { bare } from '#src/kit/text/locale.ts'
import { pagePathOf } from '#src/router-seams/data-url.ts'
import type { AppEnv } from './request.server.ts'

const EVERY_MS = 1000

/**
 * Counts every answer by its route pattern. Logs one line per second with the sums of refusals (429, 503) and failures: a line for each
 * would bury everything else in a flood, and no line would leave the operator blind.
 */
export function countAnswers(log: Log, patternOf: (path: string) => string | null): MiddlewareHandler<AppEnv> {
  let refused: Record<string, number> = {}
  let timer: NodeJS.Timeout | undefined
  const sumUp = () => {
    log.warn({ refused }, 'refusals')
    refused = {}
    timer = undefined
  }
  return async (c, next) => {
    const began = performance.now()
    await next()
    const { routePath } = c.req
    // Use the pattern, not the address: searches and ids in paths are private.
    const route = /^\/?\*?$/.test(routePath) ? (patternOf(bare(pagePathOf(c.req.path))) ?? 'other') : routePath
    const { status } = c.res
    const method = c.req.method === 'GET' || c.req.method === 'HEAD' ? 'read' : 'write'
    tally('sandhai_http_requests_total', { method, route, status: String(status) })
    observeSeconds('sandhai_http_request_seconds', { method, route }, (performance.now() - began) / 1000)
    const [, outcome] = /^sandhai; (\w+)/.exec(c.res.headers.get('cache-status') ?? '') ?? []
    if (outcome) tally('sandhai_page_cache_total', { outcome })
    if (status !== 429 && status !== 503) return
    refused[status] = (refused[status] ?? 0) + 1
    timer ??= setTimeout(sumUp, EVERY_MS).unref()
  }
}
