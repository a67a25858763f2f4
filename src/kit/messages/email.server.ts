import { createTransport } from 'nodemailer'
import type { Env } from '#src/kit/env.server.ts'
import { SendFailure, Undeliverable, type Gateway, type OutgoingMessage } from './outbox.server.ts'

/** Opening the connection, the greeting, and any silence after it. */
const TIMEOUT_MS = 4000

/** Plain text by SMTP, one connection for each message: we send few, and a persistent connection is one more thing to maintain. */
export function smtpGateway(smtpUrl: string, { mailFrom, mode }: Pick<Env, 'mailFrom' | 'mode'>): Gateway {
  const url = new URL(smtpUrl)
  const secure = url.protocol === 'smtps:'
  const hostname = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const transport = createTransport({
    host: hostname,
    port: Number(url.port) || (secure ? 465 : 587),
    secure,
    // In live mode no letter and no password goes over a line that others can read.
    requireTLS: mode === 'live' && !secure && !isLoopback(hostname),
    ...(url.username && {
      auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) },
      forceAuth: true,
    }),
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    dnsTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    send: async (message, signal) => {
      try {
        await transport.sendMail({ ...letterOf(message), from: mailFrom, signal })
      } catch (error) {
        throw failureOf(error)
      }
    },
  }
}

function letterOf({ recipient, subject, body, messageKey, variables }: OutgoingMessage) {
  return {
    // As an object it is one address, never a list that is read out of a text.
    to: { name: '', address: recipient },
    subject: subject ?? '',
    text: body,
    messageId: `<${messageKey}>`,
    headers: { 'Auto-Submitted': 'auto-generated' },
    // Mail programs make a button of it.
    ...(variables?.stop && { list: { unsubscribe: variables.stop } }),
  }
}

const isLoopback = (hostname: string) => hostname === 'localhost' || hostname === '::1' || hostname.startsWith('127.')

/** A server that refuses this recipient or this text for good says 5xx to RCPT or DATA; anything else may be over tomorrow. */
function failureOf(error: unknown): Error {
  const { code, responseCode, command } = error as { code?: string; responseCode?: number; command?: string }
  const reason = [code ?? 'UNKNOWN', command, responseCode].filter(Boolean).join(' ')
  const isFinal = responseCode !== undefined && responseCode >= 500 && (command === 'RCPT TO' || command === 'DATA')
  return isFinal ? new Undeliverable(reason) : new SendFailure(reason)
}
