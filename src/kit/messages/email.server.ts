import type { Env } from '#src/kit/base/env.server.ts'
import { SendFailure, Undeliverable, type Gateway, type OutgoingMessage } from './outbox.server.ts'

/** The time-out for the connection, for the greeting, and for any later silence. */
const TIMEOUT_MS = 4000

/** Sends plain text by SMTP with one connection per message. We send few, so a connection pool is not worth its upkeep. */
export function smtpGateway(smtpUrl: string, { mailFrom, mode }: Pick<Env, 'mailFrom' | 'mode'>): Gateway {
  const url = new URL(smtpUrl)
  const secure = url.protocol === 'smtps:'
  const hostname = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const options = {
    host: hostname,
    port: Number(url.port) || (secure ? 465 : 587),
    secure,
    // In live mode, require TLS, so that messages and passwords never cross the network in plain text.
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
  }
  // Loaded with the first e-mail, because most processes send none.
  const connect = async () => (await import('nodemailer')).createTransport(options)
  let transport: ReturnType<typeof connect> | undefined
  return {
    send: async (message, signal) => {
      try {
        await (await (transport ??= connect())).sendMail({ ...letterOf(message), from: mailFrom, signal })
      } catch (error) {
        throw failureOf(error)
      }
    },
  }
}

function letterOf({ recipient, subject, body, messageKey, variables }: OutgoingMessage) {
  return {
    // As an object, this is a single address. A string could be parsed as a list.
    to: { name: '', address: recipient },
    subject: subject ?? '',
    text: body,
    messageId: `<${messageKey}>`,
    headers: { 'Auto-Submitted': 'auto-generated' },
    // Mail programs show this as an unsubscribe button.
    ...(variables?.stop && { list: { unsubscribe: variables.stop } }),
  }
}

const isLoopback = (hostname: string) => hostname === 'localhost' || hostname === '::1' || hostname.startsWith('127.')

/** A server refuses this recipient or text for good with 5xx after RCPT or DATA. Any other failure may be temporary. */
function failureOf(error: unknown): Error {
  const { code, responseCode, command } = error as { code?: string; responseCode?: number; command?: string }
  const reason = [code ?? 'UNKNOWN', command, responseCode].filter(Boolean).join(' ')
  const isFinal = responseCode !== undefined && responseCode >= 500 && (command === 'RCPT TO' || command === 'DATA')
  return isFinal ? new Undeliverable(reason) : new SendFailure(reason)
}
