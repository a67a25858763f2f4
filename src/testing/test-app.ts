import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RouteConfig, z } from '@hono/zod-openapi'
import { pino } from 'pino'
import { expect } from 'vitest'
import { makeSession } from '../accounts/makers.server.ts'
import { createCalls } from '../api.server.ts'
import { createApp } from '../app.server.ts'
import { PageViews } from '../content/page-views.server.ts'
import { problemSchema } from '../kit/api.server.ts'
import type { Viewer } from '../kit/context.ts'
import { makeCsrfToken } from '../kit/csrf.server.ts'
import { readEnv, type Env } from '../kit/env.server.ts'
import { openMediaStore } from '../kit/media-store.server.ts'
import { RateLimits } from '../kit/rate-limits.server.ts'
import { testVault } from '../kit/testing/test-ctx.ts'
import { openTestMarket, type TestMarket } from './test-market.ts'

export const ORIGIN = 'https://sandhai.test'

export interface CallOptions {
  method?: string
  /** Who is logged in; nobody unless told. */
  as?: Viewer | null
  /** Accept-Language; English unless told. */
  language?: string
  /** Each call comes from an address of its own unless told, so that limits do not reach from test to test. */
  address?: string
  /** Sends a good CSRF token of this browser. */
  csrf?: boolean
  headers?: Record<string, string>
  body?: string
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
  fetch(path: string, init: RequestInit): Promise<Response>
  secret: string
  /** What was logged so far, one object per line. */
  logged: Record<string, unknown>[]
}

/** The site over a fresh market, without its pages; a demo unless told. */
export async function openTestApp(changes: Partial<Env> = {}): Promise<TestApp> {
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
    media: await openMediaStore(join(dataDir, 'media')),
    vault: testVault,
    views: new PageViews(),
    limits: new RateLimits(env.rateLimitFactors.address, env.rateLimitFactors.user),
    // Other tests keep this process busy: that is nobody's crowd.
    latenessMs: () => 0,
    isDraining: false,
    noteAway: () => {},
    close: () => testMarket.close(),
  }
  const app = createApp(market, async () => new Response('a page'))
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
    logged,
    call,
    fetch: async (path, init) => app.request(ORIGIN + path, init),
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

const matcherOf = (template: string) => new RegExp(`^${template.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\w+\}/g, '[^/]*')}/?$`)
const matchers = documentedCalls.map((route) => ({ route, matcher: matcherOf(`/api/v1${route.path}`) }))

async function expectAsDocumented(method: string, path: string, response: Response, sent: unknown): Promise<void> {
  const type = response.headers.get('content-type')
  if (!path.startsWith('/api/') || method === 'HEAD' || !type?.includes('json')) return
  const json: unknown = await response.json()
  if (type === 'application/problem+json; charset=utf-8') {
    expect(problemSchema.parse(json)).toEqual(json)
    expect(json).toMatchObject({ status: response.status, requestId: response.headers.get('x-request-id') })
    return
  }
  if (path.startsWith('/api/v1/openapi.json')) return
  const plain = decodeURIComponent(new URL(ORIGIN + path).pathname)
  const found = matchers.find(({ route, matcher }) => route.method === method.toLowerCase() && matcher.test(plain))
  const documented = found?.route.responses[response.status] as { content?: Record<string, { schema: z.ZodType }> } | undefined
  expect(type).toBe('application/json; charset=utf-8')
  const schema = documented?.content?.['application/json']?.schema
  // What was taken must be what the document says one may send.
  const taken = (found?.route.request?.body?.content as Record<string, { schema: z.ZodType }> | undefined)?.['application/json']?.schema
  if (sent !== undefined)
    expect(taken?.safeParse(sent).success, `${method} ${plain} took a body that the document does not know`).toBe(true)
  expect(schema, `${method} ${plain} answers ${response.status} with JSON that the document does not know`).toBeDefined()
  expect(schema!.parse(json)).toEqual(json)
}
