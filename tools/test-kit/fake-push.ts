import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify, type ECDH } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * A push service on this machine, as strict as RFC 8030, 8188, 8291 and 8292 allow. It decrypts messages like a browser, without the library that
 * sends them. It answers every protocol error with 400 and lists it in `faults`.
 */
export interface FakePush {
  origin: string
  received: Received[]
  faults: string[]
  subscribe(): Subscription
  /** Sets the answer to its next messages; 404 and 410 are permanent. */
  answer(subscription: Subscription, status: number, headers?: Record<string, string>): void
  close(): Promise<void>
}

export interface Subscription {
  endpoint: string
  keys: { p256dh: string; auth: string }
}

interface Received {
  endpoint: string
  ttl: number
  urgency: string
  topic: string | undefined
  /** The subject claim of the token. */
  subject: string
  publicKey: string
  bytes: number
  text: string
}

interface Browser {
  curve: ECDH
  auth: Buffer
  status: number
  headers: Record<string, string>
}

/** A service may refuse larger bodies (RFC 8030 §7.2). */
const MAX_BODY = 4096

/** Listens on a free port, or on the one that a site was configured with (e2e/serve.ts). */
export async function startFakePush(port = 0): Promise<FakePush> {
  const browsers = new Map<string, Browser>()
  const received: Received[] = []
  const faults: string[] = []
  let origin = ''
  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      const endpoint = origin + request.url
      const browser = browsers.get(endpoint)
      if (!browser) return response.writeHead(404).end()
      if (body.length > MAX_BODY) return response.writeHead(413).end()
      try {
        const message = readMessage(request, body, browser, origin)
        if (browser.status === 201) received.push({ endpoint, ...message })
      } catch (error) {
        faults.push((error as Error).message)
        return response.writeHead(400).end()
      }
      const location = browser.status === 201 ? { Location: `${origin}/message/${randomBytes(6).toString('hex')}` } : {}
      return response.writeHead(browser.status, { ...location, ...browser.headers }).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin,
    received,
    faults,
    subscribe: () => {
      const curve = createECDH('prime256v1')
      const auth = randomBytes(16)
      const endpoint = `${origin}/push/${randomBytes(12).toString('base64url')}`
      const p256dh = curve.generateKeys().toString('base64url')
      browsers.set(endpoint, { curve, auth, status: 201, headers: {} })
      return { endpoint, keys: { p256dh, auth: auth.toString('base64url') } }
    },
    answer: ({ endpoint }, status, headers = {}) => void Object.assign(browsers.get(endpoint)!, { status, headers }),
    close: () => new Promise((resolve) => void (server.closeAllConnections(), server.close(() => resolve()))),
  }
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts)
}

function ensure(isSo: unknown, fault: string): asserts isSo {
  if (!isSo) throw new Error(fault)
}

function readMessage({ method, headers }: IncomingMessage, body: Buffer, browser: Browser, origin: string): Omit<Received, 'endpoint'> {
  ensure(method === 'POST', 'not a POST')
  ensure(/^\d{1,9}$/.test(String(headers.ttl)), 'no TTL (RFC 8030 §5.2)')
  const urgency = String(headers.urgency ?? 'normal')
  ensure(['very-low', 'low', 'normal', 'high'].includes(urgency), 'an unknown Urgency (RFC 8030 §5.3)')
  const topic = headers.topic as string | undefined
  ensure(topic === undefined || /^[\w-]{1,32}$/.test(topic), 'a bad Topic (RFC 8030 §5.4)')
  ensure(headers['content-encoding'] === 'aes128gcm', 'not aes128gcm (RFC 8291 §4)')
  const token = readToken(String(headers.authorization), origin)
  return { ttl: Number(headers.ttl), urgency, topic, ...token, bytes: body.length, text: decrypt(body, browser) }
}

/** RFC 8292: the token must be signed with the key beside it, for this service, for at most a day, with a contact of the sender. */
function readToken(authorization: string, origin: string): { subject: string; publicKey: string } {
  const [, token = '', publicKey = ''] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(authorization) ?? []
  const [header = '', claims = '', signature = ''] = token.split('.')
  const json = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString() || '{}') as Record<string, unknown>
  ensure(json(header).alg === 'ES256', 'not ES256 (RFC 8292 §2)')
  const point = Buffer.from(publicKey, 'base64url')
  ensure(point.length === 65 && point[0] === 4, 'no public key (RFC 8292 §3.2)')
  const key = createPublicKey({
    format: 'jwk',
    key: { kty: 'EC', crv: 'P-256', x: point.subarray(1, 33).toString('base64url'), y: point.subarray(33).toString('base64url') },
  })
  const isSigned = verify(
    'sha256',
    Buffer.from(`${header}.${claims}`),
    { key, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  ensure(isSigned, 'not signed with its key (RFC 8292 §2)')
  const { aud, exp, sub } = json(claims)
  const now = Date.now() / 1000
  ensure(aud === origin, 'for another service (RFC 8292 §2)')
  ensure(typeof exp === 'number' && exp > now && exp <= now + 86_400, 'expired, or for more than a day (RFC 8292 §2)')
  ensure(typeof sub === 'string' && /^(mailto:|https:)/.test(sub), 'nobody to reach (RFC 8292 §2.1)')
  return { subject: sub, publicKey }
}

/** RFC 8291 §3.4 with the encoding of RFC 8188: a single record that ends with the delimiter of the last record. */
function decrypt(body: Buffer, { curve, auth }: Browser): string {
  const salt = body.subarray(0, 16)
  const recordSize = body.readUInt32BE(16)
  const keyLength = body[20]!
  ensure(keyLength === 65, 'no key of the sender (RFC 8291 §4)')
  const sender = body.subarray(21, 21 + keyLength)
  const record = body.subarray(21 + keyLength)
  ensure(record.length <= recordSize, 'more than one record (RFC 8291 §4)')
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), curve.getPublicKey(), sender])
  const shared = hkdfSync('sha256', curve.computeSecret(sender), auth, info, 32)
  const key = hkdfSync('sha256', new Uint8Array(shared), salt, 'Content-Encoding: aes128gcm\0', 16)
  const nonce = hkdfSync('sha256', new Uint8Array(shared), salt, 'Content-Encoding: nonce\0', 12)
  const decipher = createDecipheriv('aes-128-gcm', new Uint8Array(key), new Uint8Array(nonce))
  decipher.setAuthTag(record.subarray(-16))
  const plain = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()])
  const end = plain.lastIndexOf(2)
  ensure(end >= 0 && plain.subarray(end + 1).every((byte) => byte === 0), 'no end of the record (RFC 8188 §2)')
  return plain.subarray(0, end).toString('utf8')
}
