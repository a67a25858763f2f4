import type { Context, MiddlewareHandler } from 'hono'
import { pagePathOf } from '#src/router-seams/data-url.ts'
import { cookieNamesFor, readCookies } from '#src/kit/base/cookies.server.ts'
import { Gate } from '#src/kit/http/gate.server.ts'
import { MAX_PICTURE_BYTES } from '#src/kit/media/pictures.server.ts'
import { notFound, Problem, type ProblemCode } from '#src/kit/base/problem.ts'
import type { Market } from '#src/market/market.server.ts'
import { findRunLink } from '#src/orders/run-sheet/run-links.server.ts'
import { needsLogin, picturesAt } from '#src/policy.ts'
import { viewerOf, type AppEnv } from './request.server.ts'

/** Limit for forms and JSON. */
const MAX_BODY_BYTES = 64 * 1024

/** `pictures` of the call's or the page's line in policy.ts, for a content type that can carry them. */
const picturesIn = (c: Context) =>
  /^(multipart\/form-data|application\/offset\+octet-stream)\b/i.test(c.req.header('content-type') ?? '')
    ? picturesAt(c.req.method, pagePathOf(c.req.path))
    : 0

interface Limit {
  bytes: number
  code: ProblemCode
}
const small: Limit = { bytes: MAX_BODY_BYTES, code: 'TOO_LARGE' }
/** For a person whose session has expired: the pictures are fine, but they have to log in. */
const smallOfEnded: Limit = { bytes: MAX_BODY_BYTES, code: 'AUTH_REQUIRED' }
/** A large body from somebody who may send nothing there: ask them to log in instead of naming the size limit. */
const asMissingLogin =
  (c: Context<AppEnv>) =>
  async (error: unknown): Promise<never> => {
    const isTooLarge = error instanceof Problem && error.code === 'TOO_LARGE'
    // The link is dead, or its page would have taken the pictures.
    if (isTooLarge && linkTokenOf(c) !== undefined && picturesIn(c) > 0) throw notFound()
    if (isTooLarge && needsLogin(c.req.method, c.req.path) && (await viewerOf(c)) === null) throw new Problem('AUTH_REQUIRED')
    throw error
  }
/** For this many pictures and the other fields of the form. */
const largeFor = (pictures: number): Limit => ({ bytes: pictures * MAX_PICTURE_BYTES + MAX_BODY_BYTES, code: 'TOO_LARGE' })

/** The secret in the address of a bearer's page. */
const linkTokenOf = (c: Context) => /^(?:\/en)?\/bring\/([^/]+)$/i.exec(pagePathOf(c.req.path))?.[1]

/** A dozen slow uploads of one person must not block everybody. */
const UPLOADS_PER_PERSON = 2

/**
 * Receives the whole body first. A slow connection then takes no slot of the requests being answered, and permission is checked when
 * everything has arrived, not at the first byte: otherwise somebody who holds back the last byte could act with a role that they have lost
 * meanwhile.
 */
export function wholeBody({ latenessMs }: Market): MiddlewareHandler<AppEnv> {
  const gateOf = (atOnce: number) => new Gate({ name: 'bodies', atOnce, waitAtMostMs: 1000, retryAfterSeconds: 5, latenessMs })
  /** Limits concurrent uploads by their number of pictures, which are held in memory. */
  const gates: Record<1 | 3, Gate> = { 1: gateOf(12), 3: gateOf(6) }
  const inProgress = new Map<string, number>()
  return async (c, next) => {
    // Reading the body of such a request would create one.
    if (c.req.method === 'GET' || c.req.method === 'HEAD' || !c.req.raw.body) return next()
    // Accept large bodies from logged-in people and bearers only. Permission is checked again when everything has
    // arrived.
    const pictures = picturesIn(c)
    const uploader = pictures === 0 ? null : await uploaderOf(c)
    if (pictures === 0 || uploader === null)
      await receive(c, pictures > 0 && sessionTokenOf(c) ? smallOfEnded : small).catch(asMissingLogin(c))
    else await inTurn(inProgress, uploader, () => gates[pictures]!.run(c.var.address, () => receive(c, largeFor(pictures))))
    await next()
  }
}

function sessionTokenOf(c: Context<AppEnv>): string | undefined {
  const { env } = c.var.market
  return readCookies(c.req.header('cookie'))[cookieNamesFor(c.req.url, env.publicOrigin, env.mode).session]
}

/** The name under which uploads count: the person who is logged in, or the bearer of a working link. Null: neither. */
async function uploaderOf(c: Context<AppEnv>): Promise<string | null> {
  const viewer = await viewerOf(c)
  if (viewer) return `person ${viewer.id}`
  const token = linkTokenOf(c)
  if (token === undefined) return null
  const { database, vault, clock } = c.var.market
  const link = await findRunLink({ db: database.db, vault, now: clock.now() }, token, { isAct: true })
  return link && `bearer ${link.bearer.id}`
}

async function inTurn(inProgress: Map<string, number>, person: string, work: () => Promise<void>): Promise<void> {
  const others = inProgress.get(person) ?? 0
  if (others >= UPLOADS_PER_PERSON) throw new Problem('RATE_LIMITED', { retryAfterSeconds: 5 })
  inProgress.set(person, others + 1)
  try {
    await work()
  } finally {
    const left = inProgress.get(person)! - 1
    if (left === 0) inProgress.delete(person)
    else inProgress.set(person, left)
  }
}

/**
 * Reads the body into the request. A body that stalls or comes too slowly is REQUEST_TIMEOUT. For a page's form, the fields that arrived
 * whole stay, so that its action can show them again (`bodyProblem`, kit/http/page.server.ts).
 */
async function receive(c: Context<AppEnv>, limit: Limit): Promise<void> {
  if (Number(c.req.header('content-length') ?? 0) > limit.bytes) throw new Problem(limit.code)
  const { bytes, isCut } = await readBody(c.req.raw.body!, limit)
  const whole = isCut ? wholeFields(bytes, c.req.header('content-type') ?? '') : bytes
  if (isCut && (whole === null || c.req.path.startsWith('/api/'))) throw new Problem('REQUEST_TIMEOUT')
  if (isCut) c.set('bodyProblem', new Problem('REQUEST_TIMEOUT'))
  const received = { body: whole as Buffer<ArrayBuffer> }
  c.req.raw = new Request(c.req.raw, received)
}

/** A phone that changes masts sends nothing for a few seconds. */
const IDLE_MS = 15_000
/** After this time the average rate must be at least MIN_BYTES_PER_SECOND: a poor connection has ten times as much, an attacker's trickle less. */
const RATE_AFTER_MS = 30_000
const MIN_BYTES_PER_SECOND = 1000

async function readBody(body: ReadableStream<Uint8Array>, limit: Limit): Promise<{ bytes: Buffer; isCut: boolean }> {
  const reader = body.getReader()
  const chunks: Uint8Array[] = []
  let length = 0
  const began = performance.now()
  for (;;) {
    const allowedMs = (length / MIN_BYTES_PER_SECOND) * 1000 + RATE_AFTER_MS
    const patienceMs = Math.min(IDLE_MS, allowedMs - (performance.now() - began))
    const next = await withinOrNull(patienceMs, reader.read())
    if (next === null || next.done) return { bytes: Buffer.concat(chunks), isCut: next === null }
    length += next.value.byteLength
    if (length > limit.bytes) throw new Problem(limit.code)
    chunks.push(next.value)
  }
}

/** Null on time-out. A broken connection is MALFORMED, because its error text resembles that of a lost database. */
async function withinOrNull<T>(ms: number, answer: Promise<T>): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<null>((resolve) => (timer = setTimeout(() => resolve(null), ms)))
  return Promise.race([answer, late])
    .catch(() => {
      throw new Problem('MALFORMED')
    })
    .finally(() => clearTimeout(timer))
}

/** Removes the field in which a form broke off. Null when the body is no form. */
function wholeFields(bytes: Buffer, contentType: string): Buffer | null {
  if (/^application\/x-www-form-urlencoded\b/i.test(contentType)) return bytes.subarray(0, Math.max(0, bytes.lastIndexOf('&')))
  const boundary = /^multipart\/form-data\b.*\bboundary="?([^";]+)/i.exec(contentType)?.[1]
  if (!boundary) return null
  const last = bytes.lastIndexOf(`--${boundary}`)
  return Buffer.concat([bytes.subarray(0, Math.max(0, last)), Buffer.from(`--${boundary}--\r\n`)])
}
