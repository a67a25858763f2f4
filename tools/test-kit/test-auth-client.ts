import { afterAll, beforeAll } from 'vitest'
import type { AuthClient } from '#src/accounts/identity/identity.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { listMessages, startOutbox, type Gateway, type OutboxWorker } from '#src/kit/messages/outbox.server.ts'
import { RateLimits } from '#src/kit/db/rate-limits.server.ts'

let clients = 0

/** A demo's browser at an address and in a network of its own. */
export function testAuthClient(changes: Partial<AuthClient> = {}): AuthClient {
  clients += 1
  return {
    env: { mode: 'demo', authEnumeration: 'spec' },
    limits: new RateLimits(1),
    address: `${10 + (clients >> 16)}.${(clients >> 8) & 255}.${clients & 255}.7`,
    userAgent: 'Mozilla/5.0 (Linux; Android 13) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
    oldToken: undefined,
    ...changes,
  }
}

/** A test market's outbox worker. It accepts every message at once, or uses the gateway `sms`. */
export function startTestOutbox(ctx: Ctx, sms: Gateway = { send: async () => {}, isStandIn: true }): OutboxWorker {
  const { db, log, vault, publicOrigin } = ctx
  return startOutbox({
    db,
    log,
    vault,
    gateways: { sms, email: { send: async () => {} }, push: { send: async () => {} } },
    origin: publicOrigin,
  })
}

/** Runs `startTestOutbox` for all tests of a file. */
export function shareTestOutbox(ctxOf: () => Ctx): void {
  let worker: OutboxWorker | undefined
  beforeAll(() => void (worker = startTestOutbox(ctxOf())))
  afterAll(() => worker?.stop())
}

/** Another code of six digits than this one. */
export const wrongCode = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

/** The code in the newest SMS to this phone. */
export async function codeSentTo(ctx: Ctx, phone: string): Promise<string> {
  const message = (await listMessages(ctx)).find(({ recipient, template }) => recipient === phone && template.startsWith('otp-'))
  const code = /\b(\d{6})\b/.exec(message?.body ?? '')?.[1]
  if (code === undefined) throw new Error(`No code was sent to ${phone}.`)
  return code
}

/** The value of a cookie that an answer sets. */
export const cookieIn = (response: Response, name: string) =>
  new RegExp(`${name}=([^;]+)`).exec(response.headers.getSetCookie().find((cookie) => cookie.startsWith(name)) ?? '')![1]!
