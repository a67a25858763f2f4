import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll } from 'vitest'
import { requireBuild } from '../../scripts/build.ts'
import { makeCsrfToken } from '#src/kit/http/csrf.server.ts'
import { DatabaseClock } from '#src/kit/db/database-clock.server.ts'
import { PageViews } from '#src/content/page-views.server.ts'
import { readEnv } from '#src/kit/base/env.server.ts'
import { openMediaStore } from '#src/kit/media/media-store.server.ts'
import { RateLimits } from '#src/kit/db/rate-limits.server.ts'
import type { Market } from '#src/market/market.server.ts'
import { shareMarket, type TestMarket } from './test-market.ts'

export const siteOrigin = 'http://localhost:3000'
const SECRET = 'test-secret'

export interface Page {
  status: number
  html: string
  headers: Headers
  statements: number
  /** The first attempt got 503, as on a busy machine. The page may have been rendered meanwhile. */
  cameAgain: boolean
}

export interface Visit {
  session?: string
  lang?: string
  method?: string
  headers?: Record<string, string>
}

export interface BuiltSite {
  /** Retries after a 503, as a person would, because the database may be slow on a busy machine. Does not retry while `lateness` is set. */
  open(path: string, visit?: Visit): Promise<Page>
  fetch(request: Request): Promise<Response>
  /** The page views counted by this site and all others. */
  views: PageViews
  /** The event-loop lag that the gates see. */
  lateness: { ms: number }
  /** Opens the site like a second process: own memory, same database. */
  another(): BuiltSite
  close(): void
}

/** Opens one market and its built site for all tests of a file, as `shareMarket` does. */
export function shareBuiltSite(take: (opened: { market: TestMarket; site: BuiltSite }) => unknown): void {
  let site: BuiltSite | undefined
  let market: TestMarket
  shareMarket((opened) => (market = opened))
  beforeAll(async () => {
    site = await openBuiltSite(market)
    take({ market, site })
  })
  afterAll(() => site?.close())
}

/** Runs the built site in this process. Returns the same pages as for a browser. */
export async function openBuiltSite(market: TestMarket, environment: Record<string, string> = {}): Promise<BuiltSite> {
  requireBuild()
  const dir = mkdtempSync(join(tmpdir(), 'sandhai-pages-'))
  // A fixed lateness, because other tests keep this process busy and the gates must not count that as load.
  const lateness = { ms: 0 }
  const running: Market = {
    env: { ...readEnv({ LOG_LEVEL: 'silent', DATA_DIR: dir, ...environment }), secret: SECRET },
    log: market.ctx.log,
    database: market.database,
    clock: await DatabaseClock.start(market.database.watch),
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
  const { createSite } = (await import(built)) as typeof import('#src/server/main.server.ts')

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
      close: () => {
        void running.clock.stop()
        rmSync(dir, { recursive: true, force: true })
      },
    }
  }
  return openSite()
}

/**
 * Posts a form as a browser without scripts does; with files as FormData. `cookies`: its jar, which takes the cookies of the answer.
 */
export async function postForm(
  site: BuiltSite,
  path: string,
  fields: Record<string, string> | FormData,
  cookies: Record<string, string> = {},
): Promise<{ status: number; to: string | null; html: string }> {
  const csrf = makeCsrfToken(SECRET, cookies['__Host-sid'])
  const body = fields instanceof FormData ? fields : new URLSearchParams(fields)
  body.set('csrf', csrf)
  const cookie = Object.entries({ ...cookies, '__Host-csrf': csrf }).map(([name, value]) => `${name}=${value}`)
  const response = await site.fetch(
    new Request(siteOrigin + path, {
      method: 'POST',
      body,
      headers: { cookie: cookie.join('; '), origin: siteOrigin, 'sec-fetch-site': 'same-origin' },
    }),
  )
  for (const line of response.headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line)!
    cookies[name] = value
  }
  return { status: response.status, to: response.headers.get('location'), html: await response.text() }
}

/** The visible text, without markup and script data. */
export const textOf = (html: string) =>
  html
    .replace(/<script[\s\S]*?<\/script>|<style[\s\S]*?<\/style>/g, ' ')
    .replace(/<!--.*?-->/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/&#x27;/g, "'")
    .replace(/&amp;/g, '&')
    .replace(/\s+/g, ' ')
