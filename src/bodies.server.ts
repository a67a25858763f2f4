import type { Context, MiddlewareHandler } from 'hono'
import { pagePathOf } from '#src/router-seams/data-url.ts'
import { cookieNamesFor, readCookies } from '#src/kit/http/cookies.server.ts'
import { Gate } from '#src/kit/http/gate.server.ts'
import { MAX_PICTURE_BYTES } from '#src/kit/media/pictures.server.ts'
import { Problem, type ProblemCode } from './kit/problem.ts'
import type { Market } from './market.server.ts'
import { needsLogin } from './policy.ts'
import { viewerOf, type AppEnv } from './request.server.ts'

/** Forms and JSON. */
const MAX_BODY_BYTES = 64 * 1024
/** The only addresses that accept large bodies, and how many pictures each takes at once. */
const uploads: { path: RegExp; pictures: number }[] = [
  { path: /^\/api\/v1\/userprofileimage$/i, pictures: 1 },
  { path: /^\/api\/v1\/listing-draft\/photo$/i, pictures: 1 },
  { path: /^\/api\/v1\/productimages$/i, pictures: 3 },
  { path: /^\/api\/v1\/(listing-draft\/clip|productclips|clip-upload\/id=[a-z0-9]{20})$/i, pictures: 1 },
  { path: /^\/api\/v1\/vet-check-photo\/id=\d{1,15}$/i, pictures: 1 },
  { path: /^(\/en)?\/userprofile\/\d{1,15}\/?$/i, pictures: 1 },
  // One, with room for more: a picture that is too large is refused at its field, and the reason typed beside it stays.
  { path: /^(\/en)?\/orders\/\d{1,15}\/handover\/?$/i, pictures: 3 },
  { path: /^(\/en)?\/vet-verify\/\d{1,15}\/?$/i, pictures: 3 },
  { path: /^(\/en)?\/sell\/?$/i, pictures: 3 },
  { path: /^(\/en)?\/seller-product\/\d{1,15}\/edit\/?$/i, pictures: 3 },
]

const picturesIn = (c: Context) =>
  /^(multipart\/form-data|application\/offset\+octet-stream)\b/i.test(c.req.header('content-type') ?? '')
    ? (uploads.find(({ path }) => path.test(pagePathOf(c.req.path)))?.pictures ?? 0)
    : 0

interface Limit {
  bytes: number
  /** The refusal of a larger body. */
  code: ProblemCode
}
const small: Limit = { bytes: MAX_BODY_BYTES, code: 'TOO_LARGE' }
/** For a person whose session has ended: nothing is wrong with the pictures, they have to log in. */
const smallOfEnded: Limit = { bytes: MAX_BODY_BYTES, code: 'AUTH_REQUIRED' }
/** Too large from somebody who may send nothing at all there: they are asked to log in, not told the size limit. */
const asMissingLogin =
  (c: Context<AppEnv>) =>
  async (error: unknown): Promise<never> => {
    const isTooLarge = error instanceof Problem && error.code === 'TOO_LARGE'
    if (isTooLarge && needsLogin(c.req.method, c.req.path) && (await viewerOf(c)) === null) throw new Problem('AUTH_REQUIRED')
    throw error
  }
/** For so many pictures and the other fields of the form. */
const largeFor = (pictures: number): Limit => ({ bytes: pictures * MAX_PICTURE_BYTES + MAX_BODY_BYTES, code: 'TOO_LARGE' })

/** A dozen slow lines of one person must not keep out everybody. */
const UPLOADS_PER_PERSON = 2

/**
 * Receives the whole body before anything else: a slow line takes no slot of the requests being answered, and permission
 * is checked when all has arrived, not at the first byte. Else somebody who holds back the last byte could act with a role
 * that they no longer have.
 */
export function wholeBody({ latenessMs }: Market): MiddlewareHandler<AppEnv> {
  const gateOf = (atOnce: number) => new Gate({ atOnce, waitAtMostMs: 1000, retryAfterSeconds: 5, latenessMs })
  /** Limits concurrent uploads by their number of pictures, which are held in memory. */
  const gates: Record<number, Gate> = { 1: gateOf(12), 3: gateOf(6) }
  /** Running uploads by person. */
  const inProgress = new Map<number, number>()
  return async (c, next) => {
    // Asking such a request for its body would build one first.
    if (c.req.method === 'GET' || c.req.method === 'HEAD' || !c.req.raw.body) return next()
    // Large bodies are accepted from logged-in people only; permission is checked again when all has arrived.
    const pictures = picturesIn(c)
    const uploader = pictures > 0 ? ((await viewerOf(c))?.id ?? null) : null
    if (uploader === null) await receive(c, pictures > 0 && sessionTokenOf(c) ? smallOfEnded : small).catch(asMissingLogin(c))
    else await inTurn(inProgress, uploader, () => gates[pictures]!.run(c.var.address, () => receive(c, largeFor(pictures))))
    await next()
  }
}

function sessionTokenOf(c: Context<AppEnv>): string | undefined {
  const { env } = c.var.market
  return readCookies(c.req.header('cookie'))[cookieNamesFor(c.req.url, env.publicOrigin, env.mode).session]
}

async function inTurn(inProgress: Map<number, number>, person: number, work: () => Promise<void>): Promise<void> {
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
 * Reads the body into the request. One that stops coming, or comes too slowly, is REQUEST_TIMEOUT; of a form that is sent to a page the
 * fields that came whole stay, so that its action can show them again (`bodyProblem`, kit/http/page.server.ts).
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

/** A phone that changes from one mast to the next says nothing for a few seconds. */
const IDLE_MS = 15_000
/** From then on the whole must have come at this rate: a poor line brings ten times as much, an attacker's trickle less. */
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

/** Null when the time is over. A line that breaks is MALFORMED: its error has the words of a lost database. */
async function withinOrNull<T>(ms: number, answer: Promise<T>): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<null>((resolve) => (timer = setTimeout(() => resolve(null), ms)))
  return Promise.race([answer, late])
    .catch(() => {
      throw new Problem('MALFORMED')
    })
    .finally(() => clearTimeout(timer))
}

/** A form that broke off, without the field that it broke in. Null for anything that is no form. */
function wholeFields(bytes: Buffer, contentType: string): Buffer | null {
  if (/^application\/x-www-form-urlencoded\b/i.test(contentType)) return bytes.subarray(0, Math.max(0, bytes.lastIndexOf('&')))
  const boundary = /^multipart\/form-data\b.*\bboundary="?([^";]+)/i.exec(contentType)?.[1]
  if (!boundary) return null
  const last = bytes.lastIndexOf(`--${boundary}`)
  return Buffer.concat([bytes.subarray(0, Math.max(0, last)), Buffer.from(`--${boundary}--\r\n`)])
}
