import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RouteConfig, z } from '@hono/zod-openapi'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { pino } from 'pino'
import { afterAll, beforeAll, expect } from 'vitest'
import { makeSession } from '#src/accounts/makers.server.ts'
import { apiDocument, createCalls } from '#src/server/api.server.ts'
import { createApp } from '#src/server/app.server.ts'
import { PageViews } from '#src/content/page-views.server.ts'
import { DatabaseClock } from '#src/kit/db/database-clock.server.ts'
import { problemSchema } from '#src/kit/http/api.server.ts'
import type { Viewer } from '#src/kit/context.ts'
import { makeCsrfToken } from '#src/kit/http/csrf.server.ts'
import { readEnv, type Env } from '#src/kit/base/env.server.ts'
import type { Market } from '#src/market/market.server.ts'
import type { MediaStore } from '#src/kit/media/media-store.server.ts'
import { placeOf } from '#src/kit/media/picture-place.server.ts'
import { RateLimits } from '#src/kit/db/rate-limits.server.ts'
import { testVault } from './test-ctx.ts'
import type { PageHandler } from '#src/server/pages/page-site.server.ts'
import { openTestMarket, type TestMarket } from './test-market.ts'

export const ORIGIN = 'https://sandhai.test'

export interface CallOptions {
  method?: string
  /** The logged-in person; nobody by default. */
  as?: Viewer | null
  /** Accept-Language; English by default. */
  language?: string
  /** By default each call has its own address, so that limits do not affect other tests. */
  address?: string
  /** Sends a valid CSRF token of this browser. */
  csrf?: boolean
  headers?: Record<string, string>
  body?: string | Buffer<ArrayBuffer>
  /** Sent as multipart. */
  form?: FormData
  /** A JSON body, with its content type. */
  json?: unknown
}

export interface TestApp extends TestMarket {
  /** Calls the API in-process through the whole pipeline, and validates a JSON answer against the API document. */
  call(path: string, options?: CallOptions): Promise<Response>
  /** Like `call`, expects 200, and returns the JSON. */
  read<T = never>(path: string, options?: CallOptions): Promise<T>
  /** Like `call`, expects a problem, and returns its status and code. */
  refused(path: string, options?: CallOptions): Promise<string>
  /** Sends the request unchanged and without validation. */
  fetch(path: string, init: RequestInit, remoteAddress?: string): Promise<Response>
  secret: string
  market: Market
  media: MediaStore
  /** The event-loop lag that the gates see. */
  lateness: { ms: number }
  /** The log so far, one object per line. */
  logged: Record<string, unknown>[]
}

/** Opens one app for all tests of a file and closes it after them; `more` is what `openTestApp` takes. */
export function shareTestApp(take: (app: TestApp) => unknown, ...more: Parameters<typeof openTestApp>): void {
  let app: TestApp | undefined
  beforeAll(async () => {
    app = await openTestApp(...more)
    take(app)
  })
  afterAll(() => app?.close())
}

/** The site over a fresh market without its pages, unless `pages` replaces them; a demo by default. */
export async function openTestApp(
  changes: Partial<Env> = {},
  pages: PageHandler = async () => new Response('a page'),
  vault = testVault,
): Promise<TestApp> {
  const testMarket = await openTestMarket()
  const dataDir = mkdtempSync(join(tmpdir(), 'sandhai-app-'))
  const { market, lateness, logged } = await marketOver(testMarket, dataDir, changes, vault)
  const app = createApp(market, pages)
  const call = callerOf(app, testMarket)

  return {
    ...testMarket,
    secret: SECRET,
    market,
    media: market.media,
    lateness,
    logged,
    call,
    fetch: async (path, init, remoteAddress) =>
      app.request(ORIGIN + path, init, remoteAddress ? { incoming: { socket: { remoteAddress } } } : undefined),
    read: async (path, options) => {
      const response = await call(path, options)
      expect(response.status, path).toBe(200)
      return response.json()
    },
    refused: async (path, options) => {
      const response = await call(path, options)
      const { code } = (await response.json()) as { code: string }
      return `${response.status} ${code}`
    },
    close: async () => {
      await market.clock.stop()
      await testMarket.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

const SECRET = 's'.repeat(32)

async function marketOver(testMarket: TestMarket, dataDir: string, changes: Partial<Env>, vault: Market['vault']) {
  const variables = {
    PUBLIC_ORIGIN: ORIGIN,
    DATA_DIR: dataDir,
    SESSION_SECRET: SECRET,
    PEPPER: 'p'.repeat(32),
    LOG_LEVEL: 'info',
    RATE_LIMIT_FACTOR: '1',
    TRUSTED_PROXIES: '1',
  }
  const env = { ...readEnv(variables), ...changes }
  const logged: Record<string, unknown>[] = []
  const log = pino(
    { level: env.logLevel, base: null },
    { write: (line: string) => void logged.push(JSON.parse(line) as Record<string, unknown>) },
  )
  // A fixed lateness, because other tests keep this process busy and the gates must not count that as load.
  const lateness = { ms: 0 }
  const market = {
    env,
    log,
    database: testMarket.database,
    clock: await DatabaseClock.start(testMarket.database.watch),
    media: await placeOf(env).open(),
    vault,
    views: new PageViews(),
    limits: new RateLimits(env.rateLimitFactors.address, env.rateLimitFactors.user, env.rateLimitFactors.phone),
    latenessMs: () => lateness.ms,
    isDraining: false,
    noteAway: () => {},
    close: () => testMarket.close(),
  }
  return { market, lateness, logged }
}

/** The function `call` of a test app. */
function callerOf(app: ReturnType<typeof createApp>, testMarket: TestMarket): TestApp['call'] {
  const tokens = new Map<number, string>()
  let calls = 0
  return async (path, options = {}) => {
    const { method = 'GET', as = null, language = 'en', csrf = false } = options
    const body = options.form ?? (options.json === undefined ? options.body : JSON.stringify(options.json))
    calls += 1
    const address = options.address ?? `10.${calls >> 16}.${(calls >> 8) & 255}.${calls & 255}`
    const session = as && (tokens.get(as.id) ?? (await makeSession(testMarket.ctx, as.id)))
    if (as && session) tokens.set(as.id, session)
    const token = csrf ? makeCsrfToken(SECRET, session ?? undefined) : null
    const cookie = [session && `__Host-sid=${session}`, token && `__Host-csrf=${token}`].filter(Boolean).join('; ')
    const response = await app.request(ORIGIN + path, {
      method,
      headers: {
        'Accept-Language': language,
        'X-Forwarded-For': address,
        ...(cookie && { cookie }),
        ...(token && { 'X-CSRFToken': token }),
        ...(options.json !== undefined && { 'Content-Type': 'application/json' }),
        ...options.headers,
      },
      ...(body !== undefined && { body }),
    })
    // The document describes the method that the header names, not the POST that carries it.
    const named = options.headers?.['X-HTTP-Method-Override'] ?? ''
    await expectAsDocumented(/^(PATCH|DELETE)$/.test(named) ? named : method, path, response.clone(), options.json)
    return response
  }
}

/** Every call in the API's document. */
export const documentedCalls: RouteConfig[] = createCalls().openAPIRegistry.definitions.flatMap((each) =>
  each.type === 'route' ? [each.route] : [],
)

/** Matches paths with the same number of segments, the same plain segments and the same first key. */
const matcherOf = (template: string) =>
  new RegExp(
    `^${template
      .split('/')
      .map((part) => (/[={]/.test(part) ? `(?=[^/]*${part.replace(/[=&].*|\{.*/, '')})[^/]*` : part.replace(/[.+]/g, '\\$&')))
      .join('/')}/?$`,
  )
const matchers = documentedCalls.map((route) => ({ route, matcher: matcherOf(`/api/v1${route.path}`) }))

/** The served document, for an independent validator. */
const document = apiDocument(createCalls()) as unknown as {
  paths: Record<string, Record<string, { responses: Record<string, { content?: Record<string, { schema: { $ref?: string } }> }> }>>
}
const validator = new Ajv2020({ strict: false, allErrors: true })
addFormats.default(validator)
validator.addSchema(document as object, 'api')

/** A JSON pointer into the document as a URL fragment. */
const pointer = (...parts: string[]) =>
  `api#/${parts.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`

async function expectAsDocumented(method: string, path: string, response: Response, sent: unknown): Promise<void> {
  if (!path.startsWith('/api/v1/') || method === 'HEAD' || path.startsWith('/api/v1/openapi.json')) return
  const type = response.headers.get('content-type')
  const isJson = type?.includes('json') === true
  const json: unknown = isJson ? await response.json() : undefined
  if (type === 'application/problem+json; charset=utf-8') {
    expect(problemSchema.parse(json)).toEqual(json)
    expect(json).toMatchObject({ status: response.status, requestId: response.headers.get('x-request-id') })
  }
  const plain = decodedPath(path)
  const found = matchers.find(({ route, matcher }) => route.method === method.toLowerCase() && matcher.test(plain))
  if (!found) return expect(response.status, `${method} ${plain} is not in the API document`).toBeGreaterThanOrEqual(400)
  const { route } = found
  const status = String(response.status)
  const documented = document.paths[route.path]![route.method]!.responses[status]
  expect(
    documented,
    `${method} ${route.path} answers ${status} ${JSON.stringify(json)?.slice(0, 200)}, which is not in the API document`,
  ).toBeDefined()
  if (isJson) {
    const [[media = '', content] = []] = Object.entries(documented?.content ?? {})
    expect(type).toBe(`${media}; charset=utf-8`)
    // All refusals have the schema of one component, which is compiled once.
    const $ref = content?.schema.$ref
    const inPlace = pointer('paths', route.path, route.method, 'responses', status, 'content', media, 'schema')
    const isValid = validator.getSchema($ref ? `api${$ref}` : inPlace)
    expect(
      isValid?.(json) === true || isValid?.errors,
      `${method} ${route.path} answers ${status} with JSON that the API document does not allow`,
    ).toBe(true)
  }
  // An accepted body must be valid in the document.
  const bodySchema = (route.request?.body?.content as Record<string, { schema: z.ZodType }> | undefined)?.['application/json']?.schema
  if (sent !== undefined && response.ok)
    expect(bodySchema?.safeParse(sent).success, `${method} ${plain} accepted a body that the API document does not allow`).toBe(true)
  answered.add(`${route.method.toUpperCase()} ${route.path} ${response.ok ? 'yes' : 'no'}`)
}

/** The calls made so far in this file, with `yes` or `no`. */
export const answered = new Set<string>()

function decodedPath(path: string): string {
  const { pathname } = new URL(ORIGIN + path)
  try {
    return decodeURIComponent(pathname)
  } catch {
    return pathname
  }
}
