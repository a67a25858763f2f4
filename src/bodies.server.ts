import type { Context, MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { findSession } from './accounts/sessions.server.ts'
import { cookieNamesFor, readCookies } from './kit/cookies.server.ts'
import { Gate } from './kit/gate.server.ts'
import { MAX_PICTURE_BYTES } from './kit/pictures.server.ts'
import { Problem, type ProblemCode } from './kit/problem.ts'
import type { Market } from './market.server.ts'
import type { AppEnv } from './request.server.ts'

/** Forms and JSON. */
const MAX_BODY_BYTES = 64 * 1024
/** Where pictures may come, how many at once, and nothing else that is large. */
const uploads: { path: RegExp; pictures: number }[] = [
  { path: /^\/api\/v1\/userprofileimage$/i, pictures: 1 },
  { path: /^\/api\/v1\/listing-draft\/photo$/i, pictures: 1 },
  { path: /^\/api\/v1\/productimages$/i, pictures: 3 },
  { path: /^(\/en)?\/userprofile\/\d{1,15}\/?$/i, pictures: 1 },
  // One, with room for more: a picture that is too large is refused at its field, and the reason typed beside it stays.
  { path: /^(\/en)?\/orders\/\d{1,15}\/handover(\.data|\/)?$/i, pictures: 3 },
  { path: /^(\/en)?\/sell(\.data|\/)?$/i, pictures: 3 },
  { path: /^(\/en)?\/seller-product\/\d{1,15}\/edit(\.data|\/)?$/i, pictures: 3 },
]

const picturesIn = (c: Context) =>
  /^multipart\/form-data\b/i.test(c.req.header('content-type') ?? '')
    ? (uploads.find(({ path }) => path.test(c.req.path))?.pictures ?? 0)
    : 0

const limitedTo = (maxSize: number, code: ProblemCode = 'TOO_LARGE') =>
  bodyLimit({
    maxSize,
    onError: () => {
      throw new Problem(code)
    },
  })
const small = limitedTo(MAX_BODY_BYTES)
/** Nothing is wrong with the pictures of somebody whose session is over: he has to log in. */
const smallOfEnded = limitedTo(MAX_BODY_BYTES, 'AUTH_REQUIRED')
/** So many pictures, and what a form says around them. */
const large: Record<number, MiddlewareHandler> = {
  1: limitedTo(MAX_PICTURE_BYTES + MAX_BODY_BYTES),
  3: limitedTo(3 * MAX_PICTURE_BYTES + MAX_BODY_BYTES),
}

/** A dozen slow lines of one person must not keep out everybody. */
const UPLOADS_PER_PERSON = 2

/**
 * The whole body, before anything is asked about it: a slow line holds no place among those who are being answered, and who may
 * act is looked up when all has come, not when the first byte did. Else whoever holds back his last byte would act as somebody
 * he has long ceased to be.
 */
export function wholeBody({ latenessMs }: Market): MiddlewareHandler<AppEnv> {
  const gateOf = (atOnce: number) => new Gate({ atOnce, waitAtMostMs: 1000, retryAfterSeconds: 5, latenessMs })
  /** As many uploads, of so many pictures each, as may be in memory while they come in. */
  const gates: Record<number, Gate> = { 1: gateOf(12), 3: gateOf(6) }
  /** How many uploads of whom are coming in. */
  const inProgress = new Map<number, number>()
  return async (c, next) => {
    // Asking such a request for its body would build one first.
    if (c.req.method === 'GET' || c.req.method === 'HEAD' || !c.req.raw.body) return next()
    // Something large is taken from who is logged in when it begins; who may act is asked once more when it has come.
    const pictures = picturesIn(c)
    const uploader = pictures > 0 ? await personAt(c) : null
    if (uploader === null) await receive(c, pictures > 0 && sessionTokenOf(c) ? smallOfEnded : small)
    else await inTurn(inProgress, uploader, gates[pictures]!, () => receive(c, large[pictures]!))
    await next()
  }
}

function sessionTokenOf(c: Context<AppEnv>): string | undefined {
  const { env } = c.var.market
  return readCookies(c.req.header('cookie'))[cookieNamesFor(c.req.url, env.publicOrigin, env.mode).session]
}

async function personAt(c: Context<AppEnv>): Promise<number | null> {
  const token = sessionTokenOf(c)
  const session = token ? await findSession(c.var.market.database.db, token) : null
  return session && !session.awaitsTotp ? session.viewer.id : null
}

async function inTurn(inProgress: Map<number, number>, person: number, gate: Gate, work: () => Promise<void>): Promise<void> {
  const others = inProgress.get(person) ?? 0
  if (others >= UPLOADS_PER_PERSON) throw new Problem('RATE_LIMITED', { retryAfterSeconds: 5 })
  inProgress.set(person, others + 1)
  try {
    await gate.run(work)
  } finally {
    const left = inProgress.get(person)! - 1
    if (left === 0) inProgress.delete(person)
    else inProgress.set(person, left)
  }
}

async function receive(c: Context<AppEnv>, limit: MiddlewareHandler): Promise<void> {
  try {
    await limit(c, async () => {
      c.req.raw = await received(c.req.raw)
    })
  } catch (error) {
    // A line that breaks while the body is measured or read says so with the words of a lost database.
    throw error instanceof Problem ? error : new Problem('MALFORMED')
  }
}

async function received(request: Request): Promise<Request> {
  const whole = { body: await request.arrayBuffer() }
  return new Request(request, whole)
}
