import { createHash } from 'node:crypto'
import { OpenAPIHono, z, type RouteConfig, type RouteHandler } from '@hono/zod-openapi'
import type { Context, MiddlewareHandler, TypedResponse } from 'hono'
import type { Ctx } from '../context.ts'
import type { CookieNames } from '#src/kit/base/cookies.server.ts'
import type { Env } from '#src/kit/base/env.server.ts'
import { ID_PATTERN } from '../ids.ts'
import type { MediaStore } from '#src/kit/media/media-store.server.ts'
import { Problem, problems, type FieldProblem, type ProblemCode, invalidField } from '#src/kit/base/problem.ts'
import type { LimitName, RateLimits } from '#src/kit/db/rate-limits.server.ts'
import { ensureOwnPage } from './csrf.server.ts'
import { isKnown } from './http.server.ts'
import { ensureStorable } from './storable-text.ts'
import type { SharedAnswers } from './page-cache.server.ts'

/** The pipeline's variables that an API handler may use. */
export interface ApiEnv {
  Variables: {
    ctx: Ctx
    market: { env: Env; limits: RateLimits; media: MediaStore }
    cookies: Record<string, string>
    cookieNames: CookieNames
    address: string
    userAgent: string
    /** True after the request has passed the gate. */
    isInside: boolean
    answers: SharedAnswers
  }
}
export type Api = OpenAPIHono<ApiEnv> & { guardsOf: (operation: string) => Guards; examples: Record<string, unknown> }
export type ApiContext = Context<ApiEnv>

/** The middleware in front of one call. */
export interface Guards {
  /** Runs in this order: same origin and CSRF, login, rate limits, role. */
  before: MiddlewareHandler<ApiEnv>[]
  /** The problem codes that the middleware may answer. */
  refuses: ProblemCode[]
  needsToken: boolean
  needsSession: boolean
}

/** For each added call ("GET /user-type"), calls `guardsOf`, which throws for an unknown call. `examples` has a body for each call. */
export function newApi(guardsOf: (operation: string) => Guards, examples: Record<string, unknown> = {}): Api {
  const api = new OpenAPIHono<ApiEnv>({
    defaultHook: (result) => {
      if (result.success) return
      throw new Problem('VALIDATION', { fields: result.error.issues.flatMap((issue) => fieldProblems(issue, result)) })
    },
  })
  return Object.assign(api, { guardsOf, examples })
}

interface Checked {
  /** `json`, `param`, `query`, `header`. */
  target: string
  data?: unknown
}

/**
 * Names each problem by its message key or as a hint for programmers (api.server.ts turns both into text). The
 * validation library's own words never reach clients: `z.config` below sets a key wherever a schema names none.
 */
function fieldProblems(issue: z.core.$ZodIssue, { target, data }: Checked): FieldProblem[] {
  const at = (...more: PropertyKey[]) => [...issue.path, ...more].map(String).join('.') || target
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => ({ field: at(key), message: 'field_unknown' }))
  const isMissing = target === 'json' && issue.path.length > 0 && valueAt(data, issue.path) === undefined
  const message = issue.message.slice(0, 200)
  return [{ field: at(), message: isMissing && !message.startsWith('field_') ? 'field_blank' : message }]
}

const valueAt = (data: unknown, path: PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>)[key] : undefined),
    data,
  )

// Applies to every schema in this process without its own message.
z.config({ customError: ({ input }) => (input === undefined ? 'field_blank' : 'field_wrong') })

interface Segment {
  param: string
  template: string
  /** `start` is the documented spelling and `spelt` matches the accepted ones. `name` is the parameter that follows, if any. */
  parts: { start: string; spelt: RegExp | undefined; name: string | undefined }[]
}

/** Accepted spellings of `key=`, by the name of the value. */
export type Spellings = Record<string, RegExp>

/** A call's method and path, as policy.ts names it. */
type Operation = `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'} ${string}`

/** One call: its route, and `run`, which answers it. `Q` and `S` are the types of its input and its answers. */
type Call<Q extends RouteConfig['request'], S extends RouteConfig['responses']> = Omit<RouteConfig, 'method' | 'path'> & {
  request?: Q
  responses: S
  run: RouteHandler<{ method: 'get'; path: string; request: Q; responses: S }, ApiEnv>
  spellings?: Spellings
}

/**
 * Adds a call with its middleware: the check of the body's content type, the guards of its line in policy.ts, and the
 * check of the body's syntax before its values. An optional body may be omitted together with its content type.
 * A path may have `key={name}` inside a segment. The router sees the whole segment as one parameter, and this function
 * splits it: exactly these keys, once each, in any order; else VALIDATION. Two calls of one method must differ in their
 * plain segments or in the number of segments.
 */
export function call<S extends RouteConfig['responses'], Q extends RouteConfig['request'] = undefined>(
  api: Api,
  operation: Operation,
  { run, spellings = {}, ...asked }: Call<Q, S>,
): void {
  const [verb = '', address = ''] = operation.split(' ')
  const route: RouteConfig = { ...asked, method: verb.toLowerCase() as RouteConfig['method'], path: address }
  const segments: Segment[] = []
  const path = route.path
    .split('/')
    .map((template, index) => {
      if (!/=[^/]*\{/.test(template)) return template
      const param = `segment${index}`
      const parts = template.split('&').map((part) => {
        const name = /\{(\w+)\}$/.exec(part)?.[1]
        return { start: part.replace(/\{.*/, ''), spelt: name === undefined ? undefined : spellings[name], name }
      })
      segments.push({ param, template, parts })
      return `{${param}}`
    })
    .join('/')
  const { middleware: ownMiddleware, ...documented } = route
  const guards = api.guardsOf(operation)
  api.openAPIRegistry.registerPath({
    ...documented,
    operationId: operationIdOf(route.method, route.path),
    request: withExample(documented.request, api.examples[operation]),
    responses: withRefusals(documented.responses, [...guards.refuses, ...unreadable(route)]),
    security: securityOf(guards),
  } as RouteConfig)
  const isJson = route.request?.body?.content['application/json'] !== undefined
  const isOptional = isJson && route.request?.body?.required === false
  const isBodiless = route.method !== 'get' && !route.request?.body && !route.requestBody
  const middleware = [
    ...(isJson ? [isOptional ? unlessEmpty(jsonOnly) : jsonOnly] : []),
    ...(isBodiless ? [noBody] : []),
    ...[ownMiddleware ?? []].flat(),
    ...guards.before,
    ...(isJson ? [isOptional ? unlessEmpty(readableJson) : readableJson] : []),
  ]
  const params = route.request?.params
  const request = params && {
    ...route.request,
    params: z.preprocess((raw) => takeApart(raw as Record<string, string>, segments), params as z.ZodType),
  }
  api.openapi({ ...route, hide: true, path, middleware, ...(request && { request }) } as RouteConfig, run as never)
}

/** The codes for a request that cannot be parsed: MALFORMED for its path, and the codes for its body. */
function unreadable(route: RouteConfig): ProblemCode[] {
  if (route.method === 'get') return route.path.includes('{') ? ['MALFORMED'] : []
  const hasBody = Boolean(route.request?.body ?? route.requestBody)
  return ['MALFORMED', 'TOO_LARGE', 'UNSUPPORTED_TYPE', ...(hasBody ? (['REQUEST_TIMEOUT'] as const) : [])]
}

/** `POST /thread/like/id={threadId}` gives postThreadLike: the method and the words of the path before its values. */
function operationIdOf(method: string, path: string): string {
  const words = path.split('/').flatMap((part) => (/[={]/.test(part) ? [] : part.split('-')))
  return method + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}

/** Security requirements for the API document: public reads accept a session; unsafe calls need the CSRF token too. */
const securityOf = ({ needsSession, needsToken }: Guards): Record<string, string[]>[] => {
  const all = { ...(needsSession && { session: [] }), ...(needsToken && { csrf: [] }) }
  return needsSession ? [all] : [all, { ...all, session: [] }]
}

function withExample(request: RouteConfig['request'], example: unknown): RouteConfig['request'] {
  const json = request?.body?.content['application/json']
  if (!request?.body || !json || example === undefined) return request
  return { ...request, body: { ...request.body, content: { ...request.body.content, 'application/json': { ...json, example } } } }
}

function takeApart(raw: Record<string, string>, segments: Segment[]): Record<string, string> {
  const values = { ...raw }
  for (const { param, template, parts } of segments) {
    const texts = (values[param] ?? '').split('&')
    delete values[param]
    if (texts.length !== parts.length) throw misspelt(template)
    for (const { start: written, spelt, name } of parts) {
      const at = texts.findIndex((text) => startOf(text, written, spelt, name) !== null)
      if (at === -1) throw misspelt(template)
      const [text] = texts.splice(at, 1)
      if (name !== undefined) values[name] = text!.slice(startOf(text!, written, spelt, name)!.length)
    }
  }
  return values
}

/** Returns the accepted start of this path section, or null when the section does not match. */
function startOf(text: string, written: string, spelt: RegExp | undefined, name: string | undefined): string | null {
  const start = spelt?.exec(text)?.[0] ?? written
  // Many clients and proxies decode a plus in a path as a blank. Where the template has a plus, accept both.
  const plain = start.endsWith('+') ? text.replace(/^([^ +]*) /, '$1+') : text
  return (name === undefined ? plain === start : plain.startsWith(start)) ? start : null
}

const misspelt = (template: string) => invalidField('path', `Write this part of the path as ${template}`)

/** Deeper than any of our bodies, and shallow enough for every recursive consumer. */
const MAX_JSON_DEPTH = 20

const jsonOnly: MiddlewareHandler<ApiEnv> = async (c, next) => {
  if (!/^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i.test(c.req.header('content-type') ?? '')) throw new Problem('UNSUPPORTED_TYPE')
  await next()
}

/** For an optional body. `{}` without a content type counts as none, as for calls without a body. */
const unlessEmpty =
  (check: MiddlewareHandler<ApiEnv>): MiddlewareHandler<ApiEnv> =>
  async (c, next) => {
    const text = await c.req.text()
    const isTyped = /^application\/json/i.test(c.req.header('content-type') ?? '')
    if (c.req.header('content-type') === undefined ? text === '' || text === '{}' : text === '{}' && !isTyped) await next()
    else await check(c, next)
  }

/** Ensures that the body is parseable JSON, because the next validator expects that. The call's schema then checks the values. */
const readableJson: MiddlewareHandler<ApiEnv> = async (c, next) => {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(await c.req.arrayBuffer())
    // Check the depth before parsing, because the parser recurses without a limit.
    if (jsonDepth(text) > MAX_JSON_DEPTH) throw invalidField('json', `At most ${MAX_JSON_DEPTH} levels deep.`)
    ensureStorable(JSON.parse(text))
  } catch (error) {
    throw error instanceof Problem ? error : new Problem('MALFORMED')
  }
  await next()
}

/** Returns the maximum number of open brackets outside strings, in one pass. */
function jsonDepth(text: string): number {
  let depth = 0
  let deepest = 0
  let inString = false
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (inString) {
      if (character === '\\') at += 1
      else if (character === '"') inString = false
    } else if (character === '"') inString = true
    else if (character === '[' || character === '{') deepest = Math.max(deepest, ++depth)
    else if (character === ']' || character === '}') depth -= 1
  }
  return deepest
}

/** For calls whose body is a form with files. */
const multipartOnly: MiddlewareHandler<ApiEnv> = async (c, next) => {
  if (!/^multipart\/form-data\s*;/i.test(c.req.header('content-type') ?? '')) throw new Problem('UNSUPPORTED_TYPE')
  await next()
}

/** The form of a call that takes files, for the API document; the handler reads it (`multipartForm`). Refuses every other content type. */
export const multipart = (form: { required: string[]; properties: Record<string, object> }) => ({
  middleware: multipartOnly,
  requestBody: { required: true, content: { 'multipart/form-data': { schema: { type: 'object' as const, ...form } } } },
})

/** Returns the form in the body of a call. Throws MALFORMED, and VALIDATION for text that cannot be stored. */
export async function multipartForm(c: ApiContext): Promise<FormData> {
  const form = await c.req.raw.formData().catch(() => {
    throw new Problem('MALFORMED')
  })
  ensureStorable(Object.fromEntries(form))
  return form
}

/** The rate limit of a call without a line in policy.ts. */
export function limited(name: LimitName): MiddlewareHandler<ApiEnv> {
  return async (c, next) => {
    await c.var.market.limits.take(name, { userId: c.var.ctx.viewer?.id ?? null, address: c.var.address })
    await next()
  }
}

/** Refuses an unsafe call that does not come from our own page. */
export const ownPage: MiddlewareHandler<ApiEnv> = async (c, next) => {
  const { cookies, cookieNames, market } = c.var
  ensureOwnPage(c.req.raw, {
    publicOrigin: market.env.publicOrigin,
    secret: market.env.secret,
    sessionToken: cookies[cookieNames.session],
    cookieToken: cookies[cookieNames.csrf],
    sentToken: c.req.header('x-csrftoken') ?? c.req.header('x-csrf-token'),
  })
  await next()
}

/** For calls without a body. Accepts `{}`, because some clients send it automatically. */
const noBody: MiddlewareHandler<ApiEnv> = async (c, next) => {
  const text = await c.req.text()
  if (text !== '' && text !== '{}') throw new Problem('UNSUPPORTED_TYPE')
  await next()
}

/** An integer in a path. `says` is the hint for programmers who send something else. */
export const wholeInPath = (pattern: RegExp, hint: string, range: { minimum: number; maximum?: number }) =>
  z
    .string()
    .regex(pattern, hint)
    .transform(Number)
    .openapi({ type: 'integer', ...range, param: { required: true } })

export const idInPath = (description?: string) =>
  wholeInPath(ID_PATTERN, 'A whole number from 1 in plain digits.', { minimum: 1 }).openapi({ ...(description && { description }) })

/** How many, of two digits at most. */
export const countInPath = (from: number, to: number) =>
  wholeInPath(/^(0|[1-9]\d?)$/, `A whole number from ${from} to ${to}.`, { minimum: from, maximum: to }).refine(
    (n) => n >= from && n <= to,
    `A whole number from ${from} to ${to}.`,
  )

/** A serialized answer with its ETag. */
export interface Parcel {
  text: string
  etag: string
}

export function pack(value: unknown): Parcel {
  const text = JSON.stringify(value)
  return { text, etag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"` }
}

interface Lookup<S extends z.ZodType> {
  path: string
  tag: string
  summary: string
  description: string
  item: S
  /** The list in the reader's language. */
  list: (locale: Ctx['locale']) => z.input<S>[]
}

/** A call that answers a fixed list in the reader's language. */
export const addLookup = <S extends z.ZodType>(api: Api, { path, tag, summary, description, item, list }: Lookup<S>): void =>
  call(api, `GET ${path}`, {
    tags: [tag],
    summary,
    description,
    responses: { 200: answer('The list.', z.array(item)), ...unchanged, ...refusals() },
    run: (c) => respond(c, pack(list(c.var.ctx.locale))),
  })

/** Sends an answer that is the same for all readers of a language. Browsers cache it and revalidate it each time; 304 while unchanged. */
export function sendPublic<T>(c: ApiContext, value: T): TypedResponse<T, 200, 'json'> {
  return sendParcel(c, pack(value))
}

export const sendParcel = <T>(c: ApiContext, parcel: Parcel) =>
  // The text is already serialized; its type is that of the value.
  respond(c, parcel) as unknown as TypedResponse<T, 200, 'json'>

function respond(c: ApiContext, { text, etag }: Parcel): Response {
  const headers = { ETag: etag, 'Cache-Control': 'no-cache', Vary: 'Accept-Language, Cookie' }
  return isKnown(c.req.header('if-none-match'), etag)
    ? c.body(null, 304, headers)
    : c.body(text, 200, { ...headers, 'Content-Type': JSON_TYPE })
}

/** Sends an answer that depends on the viewer or changes something, so no cache may store it. */
export function sendPersonal<T, S extends 200 | 202 = 200>(c: ApiContext, value: T, status?: S): TypedResponse<T, S, 'json'> {
  const headers = { 'Content-Type': JSON_TYPE, 'Cache-Control': 'no-store' }
  // `c.json` would set no charset.
  return c.body(JSON.stringify(value), status ?? 200, headers) as unknown as TypedResponse<T, S, 'json'>
}

const JSON_TYPE = 'application/json; charset=utf-8'

export const problemSchema = z
  .strictObject({
    type: z.literal('about:blank'),
    title: z.string().openapi({ description: 'In English.' }),
    status: z.int(),
    detail: z.string().openapi({ description: 'A sentence to show to the user, in the language of the request.' }),
    code: z.enum(Object.keys(problems) as [ProblemCode, ...ProblemCode[]]).openapi({ description: 'The stable error code.' }),
    fields: z
      .array(
        z.strictObject({
          field: z.string(),
          message: z.string().openapi({ description: 'A sentence to show to the user, in the language of the request.' }),
          hint: z.string().optional().openapi({ description: 'Details for developers, in English.' }),
        }),
      )
      .optional()
      .openapi({ description: 'The invalid fields. Present with VALIDATION.' }),
    lines: z
      .array(z.strictObject({ id: z.int(), product: z.int(), name: z.string(), items_count: z.int(), stock: z.int() }))
      .optional()
      .openapi({ description: 'The affected lines of the cart. Present with STOCK_CHANGED and NOT_DELIVERABLE.' }),
    requestId: z.string().openapi({ description: 'The same value as the header X-Request-Id. Quote it in support requests.' }),
  })
  .openapi('Problem', { description: 'Problem details (RFC 9457).' })

/** The JSON body of a call. */
export const jsonBody = <S extends z.ZodType>(schema: S) => ({ required: true as const, content: { 'application/json': { schema } } })

/** The 200 of a call, and the 304 of cacheable calls. */
export const answer = <S extends z.ZodType>(description: string, schema: S) => ({
  description,
  content: { 'application/json': { schema } },
})
export const unchanged = { 304: { description: 'The response is unchanged since the ETag in If-None-Match.' } }

/**
 * The refusals of a call for the API document, by status, plus 429 and 5xx of every call. Code throws them and never
 * returns them, so they are not part of the handler's type.
 */
export function refusals(...codes: ProblemCode[]): object {
  return withRefusals({}, [...codes, 'RATE_LIMITED', 'INTERNAL', 'UNAVAILABLE'])
}

function withRefusals(responses: RouteConfig['responses'], codes: ProblemCode[]): RouteConfig['responses'] {
  const all = { ...responses }
  for (const code of codes) {
    const { status, title } = problems[code]
    const description = (all[status] as { description?: string } | undefined)?.description
    if (description?.includes(`${code}:`)) continue
    all[status] = {
      description: [...(description ? [description] : []), `${code}: ${title}`].join('; '),
      content: { 'application/problem+json': { schema: problemSchema } },
    }
  }
  return all
}
