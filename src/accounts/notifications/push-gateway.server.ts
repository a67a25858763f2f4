import { eq, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { ownerMarkOf } from '#src/kit/http/copy-owner.server.ts'
import type { Db } from '#src/kit/db/db.ts'
import type { Env } from '#src/kit/base/env.server.ts'
import { outbox } from '#src/kit/db/tables.ts'
import { SendFailure, Undeliverable, type Gateway, type OutgoingMessage } from '#src/kit/messages/outbox.server.ts'
import { tally } from '#src/kit/base/tally.server.ts'
import type { Vault } from '#src/kit/vault.server.ts'
import { pushDevices } from '../tables.ts'
import { pushKinds, pushOnly } from './kinds.ts'
import { markFor } from './marks.server.ts'
import { pathOf, textOf, type PushPayload } from './notification.ts'
import { isPushEndpoint } from './push-hosts.server.ts'
import { pushConfigurationOf } from './vapid.server.ts'

/** Push services usually answer within a second, and the SMS waits for this answer. */
const TIMEOUT_MS = 10_000
/** How long a push-only message stays useful. */
const KEEP_SECONDS = 12 * 3600
/** Push services accept 4096 bytes after encryption (RFC 8291); this stays well below. */
export const MAX_PAYLOAD_BYTES = 3000

type Device = typeof pushDevices.$inferSelect
type PushEnv = Pick<Env, 'mode' | 'push' | 'pushOrigins' | 'secret' | 'publicOrigin'>

/**
 * Sends messages to the browsers' push services (RFC 8030), encrypted for the device (RFC 8291) and signed (RFC 8292). The TTL ends when
 * the SMS is due, because a later notification would repeat the SMS.
 */
export function pushGateway({ db, vault, env }: { db: Db; vault: Vault; env: PushEnv }): Gateway {
  const configuration = pushConfigurationOf(env, vault)
  const vapidDetails = configuration && {
    subject: configuration.contact,
    publicKey: configuration.publicKey,
    privateKey: configuration.privateKey,
  }
  return {
    send: async (message, signal) => {
      if (!vapidDetails) throw new Undeliverable('NO_PROVIDER')
      const found = await findDevice(db, message)
      if (!found) throw new Undeliverable('DEVICE_GONE')
      const { device, secondsLeft } = found
      if (secondsLeft <= 0) throw new Undeliverable('TOO_LATE')
      // The list of hosts may have changed since the device was added.
      if (!isPushEndpoint(device.endpoint, env.pushOrigins)) throw new Undeliverable('HOST_UNKNOWN')
      const { default: webPush } = await import('web-push')
      const request = webPush.generateRequestDetails(
        { endpoint: device.endpoint, keys: { p256dh: device.p256dh, auth: device.auth } },
        payloadOf(message, device, { vault, env }),
        {
          vapidDetails,
          TTL: secondsLeft,
          urgency: pushKinds[message.template] ?? pushOnly[message.template] ?? 'normal',
          topic: topicOf(vault, message),
          contentEncoding: 'aes128gcm',
        },
      )
      await sendRequest(db, device, request, signal)
    },
  }
}

/** The device, and the seconds for which the message stays useful; null when the device was logged out meanwhile. */
async function findDevice(db: Db, { recipient, standsBefore }: OutgoingMessage): Promise<{ device: Device; secondsLeft: number } | null> {
  const sms = alias(outbox, 'sms')
  const [row] = await db
    .select({
      device: pushDevices,
      secondsLeft: sql<number>`case when ${standsBefore}::bigint is null then ${KEEP_SECONDS}::int
        when ${sms.attempts} = 0 then floor(extract(epoch from ${sms.dueAt} - now()))::int else 0 end`,
    })
    .from(pushDevices)
    .leftJoin(sms, eq(sms.id, standsBefore ?? 0))
    .where(eq(pushDevices.id, Number(recipient)))
  return row ?? null
}

function payloadOf(message: OutgoingMessage, device: Device, { vault, env }: { vault: Vault; env: PushEnv }): string {
  const { id, body, variables, locale } = message
  const payload: PushPayload = {
    id,
    shown: markFor(vault, 'shown', id),
    device: device.id,
    stop: markFor(vault, 'stop', device.id),
    owner: ownerMarkOf(device.userId, env.secret),
    locale,
    text: textOf(body, variables?.link),
    path: pathOf(variables?.link, env.publicOrigin, locale),
    tag: topicOf(vault, message),
  }
  return JSON.stringify(payload)
}

/** The push service keeps only the latest message of a topic, for example the latest step of an order. */
function topicOf(vault: Vault, { userId, variables, template }: OutgoingMessage): string {
  const subject = variables?.number ?? variables?.link ?? template
  return vault.mac('push-topic', String(userId), subject).subarray(0, 24).toString('base64url')
}

type Request = ReturnType<(typeof import('web-push'))['generateRequestDetails']>

async function sendRequest(db: Db, device: Device, { endpoint, method, headers, body }: Request, signal: AbortSignal): Promise<void> {
  const { 'Content-Length': _, ...sent } = headers as Record<string, string>
  const response = await fetch(endpoint, {
    method,
    headers: Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, String(value)])),
    body: body as Uint8Array<ArrayBuffer>,
    // The target of a redirect is not on the list of hosts.
    redirect: 'error',
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
  }).catch((error: unknown) => {
    tally('sandhai_push_answers_total', { status: 'none' })
    throw new SendFailure((error as Error).name === 'TimeoutError' ? 'TIMEOUT' : 'NO_CONNECTION')
  })
  const { status } = response
  await response.body?.cancel()
  tally('sandhai_push_answers_total', { status: String(status) })
  if (response.ok) return
  // The browser has ended this subscription.
  if (status === 404 || status === 410) await db.delete(pushDevices).where(eq(pushDevices.id, device.id))
  if (status === 429 || status >= 500) throw new SendFailure(`PROVIDER_${status}`, secondsOf(response.headers.get('retry-after')))
  throw new Undeliverable(`PROVIDER_REFUSES_${status}`)
}

/** Retry-After in seconds, or as a date (RFC 9110 §10.2.3). */
function secondsOf(text: string | null): number {
  if (text === null) return 0
  if (/^\d{1,9}$/.test(text)) return Number(text)
  const until = Date.parse(text)
  return Number.isNaN(until) ? 0 : Math.max(0, Math.ceil((until - Date.now()) / 1000))
}
