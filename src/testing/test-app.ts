import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RouteConfig, z } from '@hono/zod-openapi'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { pino } from 'pino'
import { expect } from 'vitest'
import { makeSession } from '../accounts/makers.server.ts'
import { apiDocument, createCalls } from '../api.server.ts'
import { createApp } from '../app.server.ts'
import { PageViews } from '../content/page-views.server.ts'
import { problemSchema } from '#src/kit/http/api.server.ts'
import type { Viewer } from '../kit/context.ts'
import { makeCsrfToken } from '#src/kit/http/csrf.server.ts'
import { readEnv, type Env } from '../kit/env.server.ts'
import type { Market } from '../market.server.ts'
import type { MediaStore } from '#src/kit/media/media-store.server.ts'
import { placeOf } from '#src/kit/media/picture-place.server.ts'
import { RateLimits } from '#src/kit/http/rate-limits.server.ts'
import { testVault } from '../kit/testing/test-ctx.ts'
import type { PageHandler } from '../pages.server.ts'
import { openTestMarket, type TestMarket } from './test-market.ts'

export const ORIGIN = 'https://sandhai.test'

export interface CallOptions {
  method?: string
  /** Who is logged in; nobody by default. */
  as?: Viewer | null
  /** Accept-Language; English by default. */
  language?: string
  /** Each call comes from an address of its own by default, so that limits do not reach from test to test. */
  address?: string
  /** Sends a good CSRF token of this browser. */
  csrf?: boolean
  headers?: Record<string, string>
  body?: string | Buffer<ArrayBuffer>
  /** Sent as multipart. */
  form?: FormData
  /** A JSON body, with its content type. */
  json?: unknown
}

export interface TestApp extends TestMarket {
  /** In-process, through the whole pipeline. A JSON answer is checked against what the API's document promises for it. */
  call(path: string, options?: CallOptions): Promise<Response>
  /** The same, expecting 200; answers the JSON. */
  read<T = never>(path: string, options?: CallOptions): Promise<T>
  /** The same, expecting a problem; answers its status and code. */
  refused(path: string, options?: CallOptions): Promise<string>
  /** The same without any help. */
  fetch(path: string, init: RequestInit, remoteAddress?: string): Promise<Response>
  secret: string
  market: Market
  media: MediaStore
  /** What was logged so far, one object per line. */
  logged: Record<string, unknown>[]
}

/** The site over a fresh market, without its pages, unless `pages` stands in for them; a demo by default. */
export async function openTestApp(
  changes: Partial<Env> = {},
  pages: PageHandler = async () => new Response('a page'),
  vault = testVault,
): Promise<TestApp> {
  const testMarket = await openTestMarket()
  const dataDir = mkdtempSync(join(tmpdir(), 'sandhai-app-'))
  const secret = 's'.repeat(32)
  const variables = {
    PUBLIC_ORIGIN: ORIGIN,
    DATA_DIR: dataDir,
    SESSION_SECRET: secret,
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
  const market = {
    env,
    log,
    database: testMarket.database,
    media: await placeOf(env).open(),
    vault,
    views: new PageViews(),
    limits: new RateLimits(env.rateLimitFactors.address, env.rateLimitFactors.user),
    // Other tests keep this process busy: the gates must not take that for load.
    latenessMs: () => 0,
    isDraining: false,
    noteAway: () => {},
    close: () => testMarket.close(),
  }
  const app = createApp(market, pages)
  const tokens = new Map<number, string>()
  let calls = 0

  async function call(path: string, options: CallOptions = {}): Promise<Response> {
    const { method = 'GET', as = null, language = 'en', csrf = false } = options
    const body = options.form ?? (options.json === undefined ? options.body : JSON.stringify(options.json))
    calls += 1
    const address = options.address ?? `10.${calls >> 16}.${(calls >> 8) & 255}.${calls & 255}`
    const session = as && (tokens.get(as.id) ?? (await makeSession(testMarket.ctx, as.id)))
    if (as && session) tokens.set(as.id, session)
    const token = csrf ? makeCsrfToken(secret, session ?? undefined) : null
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
    await expectAsDocumented(method, path, response.clone(), options.json)
    return response
  }

  return {
    ...testMarket,
    secret,
    market,
    media: market.media,
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
      await testMarket.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** Every call in the API's document. */
export const documentedCalls: RouteConfig[] = createCalls().openAPIRegistry.definitions.flatMap((each) =>
  each.type === 'route' ? [each.route] : [],
)

/** As many segments, the same plain ones, and the same first key where there are keys. */
const matcherOf = (template: string) =>
  new RegExp(
    `^${template
      .split('/')
      .map((part) => (/[={]/.test(part) ? `(?=[^/]*${part.replace(/[=&].*|\{.*/, '')})[^/]*` : part.replace(/[.+]/g, '\\$&')))
      .join('/')}/?$`,
  )
const matchers = documentedCalls.map((route) => ({ route, matcher: matcherOf(`/api/v1${route.path}`) }))

/** The served document, for a validator that knows nothing of ours. */
const document = apiDocument(createCalls()) as unknown as {
  paths: Record<string, Record<string, { responses: Record<string, { content?: Record<string, unknown> }> }>>
}
const validator = new Ajv2020({ strict: false, allErrors: true })
addFormats.default(validator)
validator.addSchema(document as object, 'api')

/** A part of the document's address, as JSON pointers and their fragments have it. */
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
  if (!found) return expect(response.status, `${method} ${plain} is no documented call`).toBeGreaterThanOrEqual(400)
  const { route } = found
  const status = String(response.status)
  const documented = document.paths[route.path]![route.method]!.responses[status]
  expect(
    documented,
    `${method} ${route.path} answers ${status} ${JSON.stringify(json)?.slice(0, 200)}, which the document does not know`,
  ).toBeDefined()
  if (isJson) {
    const [media] = Object.keys(documented!.content ?? {})
    expect(type).toBe(`${media}; charset=utf-8`)
    const isValid = validator.getSchema(pointer('paths', route.path, route.method, 'responses', status, 'content', media!, 'schema'))
    expect(
      isValid?.(json) === true || isValid?.errors,
      `${method} ${route.path} answers ${status} with JSON that the document does not know`,
    ).toBe(true)
  }
  // What was taken must be what the document says one may send.
  const taken = (route.request?.body?.content as Record<string, { schema: z.ZodType }> | undefined)?.['application/json']?.schema
  if (sent !== undefined && response.ok)
    expect(taken?.safeParse(sent).success, `${method} ${plain} took a body that the document does not know`).toBe(true)
  answered.add(`${route.method.toUpperCase()} ${route.path} ${response.ok ? 'yes' : 'no'}`)
}

/** Which calls have been made so far in this file, `yes` or `no`. */
export const answered = new Set<string>()

function decodedPath(path: string): string {
  const { pathname } = new URL(ORIGIN + path)
  try {
    return decodeURIComponent(pathname)
  } catch {
    return pathname
  }
}
