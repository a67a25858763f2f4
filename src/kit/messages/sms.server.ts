import * as messages from '#src/paraglide/messages.js'
import type { SmsConfiguration } from '#src/kit/base/env.server.ts'
import { SendFailure, Undeliverable, type Gateway, type OutgoingMessage } from './outbox.server.ts'

/** A person waits at a form while a code is sent (safety.md §3). */
const TIMEOUT_MS = 2500
/** Circuit breaker: after this many consecutive failures, requests fail at once for OPEN_MS without a call. */
const OPEN_AFTER = 5
const OPEN_MS = 10_000
/** A reply has a few dozen characters; more is not a valid reply. */
const MAX_REPLY = 10_000

/** Returns our SMS texts (`sms_*`) without a template at the provider, like `order-placed-buyer.ta`. The outbox would give them up unsent. */
export function missingTemplates({ templates }: SmsConfiguration): string[] {
  const names = Object.keys(messages).flatMap((key) => /^sms_(.*)/.exec(key)?.[1]?.replaceAll('_', '-') ?? [])
  return names.flatMap((name) => [`${name}.ta`, `${name}.en`]).filter((name) => !(name in templates))
}

/**
 * MSG91's flow call (contract and sources: msg91.contract.md). The provider stores the registered text (DLT) under its own id per template and
 * language; we send the id and the values.
 */
export function msg91Gateway({ baseUrl, authKey, templates }: SmsConfiguration): Gateway {
  const url = new URL('/api/v5/flow', baseUrl)
  async function send({ recipient, template, locale, variables }: OutgoingMessage, signal: AbortSignal): Promise<void> {
    const templateId = templates[`${template}.${locale}`]
    if (templateId === undefined) throw new Undeliverable('NO_TEMPLATE')
    const mobiles = /^\+(91[6-9]\d{9})$/.exec(recipient)?.[1]
    if (mobiles === undefined) throw new Undeliverable('NO_INDIAN_MOBILE')
    const response = await fetch(url, {
      method: 'POST',
      headers: { authkey: authKey, 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ template_id: templateId, recipients: [{ mobiles, ...variables }] }),
      // Following a redirect would send the key and the number elsewhere.
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    }).catch((error: unknown) => {
      throw new SendFailure((error as Error).name === 'TimeoutError' ? 'TIMEOUT' : 'NO_CONNECTION')
    })
    const reply = await readReply(response)
    // Errors may arrive with status 200, so only `type` counts.
    if (response.ok && reply?.type === 'success') return
    // The reply may quote the number, so log only the status.
    if (response.status === 401 || response.status === 403) throw new SendFailure('PROVIDER_REFUSES_KEY')
    if (response.status === 429 || response.status >= 500 || !reply) throw new SendFailure(`PROVIDER_${response.status}`)
    throw new Undeliverable(`PROVIDER_REFUSES_${response.status}`)
  }
  return { send: withBreaker(send) }
}

async function readReply(response: Response): Promise<{ type?: unknown } | null> {
  try {
    const text = await response.text()
    const reply: unknown = text.length > MAX_REPLY ? null : JSON.parse(text)
    return typeof reply === 'object' ? reply : null
  } catch {
    return null
  }
}

/** Only connection failures open the breaker. A permanent refusal of one message says nothing about the next one. */
function withBreaker(send: Gateway['send']): Gateway['send'] {
  let failures = 0
  let openUntil = 0
  return async (message, signal) => {
    if (performance.now() < openUntil) throw new SendFailure('BREAKER_OPEN')
    try {
      await send(message, signal)
      failures = 0
    } catch (error) {
      if (error instanceof Undeliverable) failures = 0
      else if (++failures >= OPEN_AFTER) {
        // Half-open: one more attempt after the pause; if it fails, the next pause begins.
        failures = OPEN_AFTER - 1
        openUntil = performance.now() + OPEN_MS
      }
      throw error
    }
  }
}
