import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { requireBuild } from '../../scripts/build.ts'
import { PageViews } from '../content/page-views.server.ts'
import { readEnv } from '../kit/env.server.ts'
import { openMediaStore } from '#src/kit/media/media-store.server.ts'
import { RateLimits } from '#src/kit/http/rate-limits.server.ts'
import type { Market } from '../market.server.ts'
import type { TestMarket } from './test-market.ts'

export const siteOrigin = 'http://localhost:3000'

export interface Page {
  status: number
  html: string
  headers: Headers
  /** How many were sent to the database for it. */
  statements: number
  /** The first try was answered 503, as on a busy machine; the page may have been rendered meanwhile. */
  cameAgain: boolean
}

export interface Visit {
  session?: string
  lang?: string
  method?: string
  headers?: Record<string, string>
}

export interface BuiltSite {
  /** Comes again after a 503, as a browser's person would: on a busy machine the database answers late. Not while `lateness` is set. */
  open(path: string, visit?: Visit): Promise<Page>
  fetch(request: Request): Promise<Response>
  /** What this and every other one counted. */
  views: PageViews
  /** Event-loop lag, as the gates see it. */
  lateness: { ms: number }
  /** As a second process would be: its own memory, the same database. */
  another(): BuiltSite
  close(): void
}

/** The built site, asked in process: the same pages a browser gets. */
export async function openBuiltSite(market: TestMarket, environment: Record<string, string> = {}): Promise<BuiltSite> {
  requireBuild()
  const dir = mkdtempSync(join(tmpdir(), 'sandhai-pages-'))
  // Other tests keep this process busy: the gates must not take that for load.
  const lateness = { ms: 0 }
  const running: Market = {
    env: { ...readEnv({ LOG_LEVEL: 'silent', DATA_DIR: dir, ...environment }), secret: 'test-secret' },
    log: market.ctx.log,
    database: market.database,
    media: await openMediaStore(dir),
    limits: new RateLimits(1000, 1000),
    vault: market.ctx.vault,
    views: new PageViews(),
    latenessMs: () => lateness.ms,
    isDraining: false,
    noteAway: () => {},
    close: () => market.close(),
  }
  const built = '../../build/server/index.js'
  const { createSite } = (await import(built)) as typeof import('../main.server.ts')

  const openSite = (): BuiltSite => {
    const site = createSite(running)
    const fetch = async (request: Request) => site.fetch(request)
    return {
      fetch,
      views: running.views,
      lateness,
      async open(path, visit = {}) {
        const { session, lang, method = 'GET', headers = {} } = visit
        market.statements()
        const cookie = [session && `__Host-sid=${session}`, lang && `lang=${lang}`].filter(Boolean).join('; ')
        const response = await fetch(new Request(siteOrigin + path, { method, headers: { ...headers, ...(cookie && { cookie }) } }))
        const page = {
          status: response.status,
          html: await response.text(),
          headers: response.headers,
          statements: market.statements().length,
        }
        if (page.status !== 503 || lateness.ms > 0) return { ...page, cameAgain: false }
        await sleep(1000 * Number(page.headers.get('retry-after')))
        return { ...(await this.open(path, visit)), cameAgain: true }
      },
      another: openSite,
      close: () => rmSync(dir, { recursive: true, force: true }),
    }
  }
  return openSite()
}

/** What a reader sees: no markup, no data for scripts. */
export const textOf = (html: string) =>
  html
    .replace(/<script[\s\S]*?<\/script>|<style[\s\S]*?<\/style>/g, ' ')
    .replace(/<!--.*?-->/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/&#x27;/g, "'")
    .replace(/&amp;/g, '&')
    .replace(/\s+/g, ' ')
