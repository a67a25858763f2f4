import { createHash } from 'node:crypto'
import { AwsV4Signer } from 'aws4fetch'
import type { BucketAddress } from '#src/kit/base/env.server.ts'

/** The store did not answer, or answered with an error. `isRefusal`: it refused, and a retry will not help. */
export class BucketAway extends Error {
  readonly isRefusal: boolean
  constructor(why: string, { isRefusal = false, cause }: { isRefusal?: boolean; cause?: unknown } = {}) {
    super(`The bucket of pictures cannot be used (${why}).`, { cause })
    this.name = 'BucketAway'
    this.isRefusal = isRefusal
  }
}

/** The store is full, or our quota is used up. */
export class BucketFull extends Error {}

export interface Found {
  bytes: Buffer
  savedAt: Date
}

export interface Bucket {
  /** Resolves after the store has confirmed the whole object. Returns false when `isFirst` is set and the object already exists. */
  put(name: string, bytes: Uint8Array, how?: { isFirst?: boolean }): Promise<boolean>
  /** Returns null when the object does not exist. `range`: first and last byte; the store may send fewer. */
  get(name: string, range?: [number, number]): Promise<Found | null>
  savedAt(name: string): Promise<Date | null>
  /** Returns false when there is nothing to copy. */
  copy(from: string, to: string): Promise<boolean>
  /** Removing a missing object succeeds. */
  remove(name: string): Promise<void>
  list(prefix: string): AsyncIterable<{ name: string; savedAt: Date }>
  /** Throws BucketAway within a second when the bucket is not usable. */
  probe(): Promise<void>
}

/** A read is answered or refused within three seconds; a save may take longer. */
const READ_MS = 2000
const WRITE_MS = 15_000
const PROBE_MS = 1000
const LISTED_AT_ONCE = 1000

interface Asked {
  method: 'GET' | 'PUT' | 'HEAD' | 'DELETE'
  name?: string
  query?: Record<string, string>
  headers?: Record<string, string>
  body?: Uint8Array
  atMostMs: number
}

interface Answer {
  status: number
  headers: Headers
  bytes: Buffer
}

/**
 * The few S3 operations that a picture store needs. Every request is signed; for uploads the signature covers the body's hash, so the store refuses
 * altered bytes.
 */
export function openBucket(address: BucketAddress): Bucket {
  const ask = (request: Asked) => askTwice(address, request)

  async function put(name: string, bytes: Uint8Array, { isFirst = false } = {}): Promise<boolean> {
    const headers: Record<string, string> = { 'content-type': 'application/octet-stream', ...(isFirst && { 'if-none-match': '*' }) }
    const { status, bytes: text } = await ask({ method: 'PUT', name, headers, body: bytes, atMostMs: WRITE_MS })
    if (isFirst && (status === 412 || status === 409)) return false
    // The store does not support the condition: the caller checks afterwards what is there.
    if (isFirst && status === 501) return put(name, bytes)
    if (status !== 200) throw refusalOf(status, text)
    return true
  }

  async function get(name: string, range?: [number, number]): Promise<Found | null> {
    const headers: Record<string, string> = range ? { range: `bytes=${range[0]}-${range[1]}` } : {}
    const { status, headers: responseHeaders, bytes } = await ask({ method: 'GET', name, headers, atMostMs: range ? READ_MS : WRITE_MS })
    if (isMissing(status, bytes)) return null
    if (status !== 200 && status !== 206) throw refusalOf(status, bytes)
    // A store may ignore the range and send everything.
    return { bytes: range && status === 200 ? bytes.subarray(range[0], range[1] + 1) : bytes, savedAt: timeOf(responseHeaders) }
  }

  async function savedAt(name: string): Promise<Date | null> {
    const { status, headers, bytes } = await ask({ method: 'HEAD', name, atMostMs: READ_MS })
    if (status === 404) return null
    if (status !== 200) throw refusalOf(status, bytes)
    return timeOf(headers)
  }

  async function copy(from: string, to: string): Promise<boolean> {
    const source = `${new URL(addressOf(bucketPath(address), from)).pathname}`
    const { status, bytes } = await ask({ method: 'PUT', name: to, headers: { 'x-amz-copy-source': source }, atMostMs: WRITE_MS })
    if (isMissing(status, bytes)) return false
    // A copy may fail after its status was sent: the error is then in the body.
    if (status !== 200 || codeOf(bytes) !== '') throw refusalOf(status, bytes)
    return true
  }

  async function remove(name: string): Promise<void> {
    const { status, bytes } = await ask({ method: 'DELETE', name, atMostMs: WRITE_MS })
    if (status !== 200 && status !== 204 && !isMissing(status, bytes)) throw refusalOf(status, bytes)
  }

  const list = (prefix: string) => listNames(ask, prefix)
  return { put, get, savedAt, copy, remove, list, probe: async () => void (await pageOfNames(ask, { 'max-keys': '1' }, PROBE_MS)) }
}

type Ask = (request: Asked) => Promise<Answer>

async function pageOfNames(ask: Ask, query: Record<string, string>, atMostMs: number): Promise<string> {
  const { status, bytes } = await ask({ method: 'GET', query: { 'list-type': '2', ...query }, atMostMs })
  if (status !== 200) throw refusalOf(status, bytes)
  return bytes.toString('utf8')
}

async function* listNames(ask: Ask, prefix: string) {
  for (let token = ''; ;) {
    const query = { prefix, 'max-keys': String(LISTED_AT_ONCE), ...(token && { 'continuation-token': token }) }
    const text = await pageOfNames(ask, query, WRITE_MS)
    for (const [, entry = ''] of text.matchAll(/<Contents>(.*?)<\/Contents>/gs)) {
      yield { name: tagOf(entry, 'Key'), savedAt: new Date(tagOf(entry, 'LastModified')) }
    }
    token = tagOf(text, 'IsTruncated') === 'true' ? tagOf(text, 'NextContinuationToken') : ''
    if (token === '') return
  }
}

/** Retry once after a connection that the store has just closed: every request here is idempotent. */
async function askTwice(address: BucketAddress, request: Asked): Promise<Answer> {
  const signal = AbortSignal.timeout(request.atMostMs)
  try {
    const first = await askOnce(address, request, signal)
    return first.status >= 500 && first.status !== 501 && first.status !== 507 ? await askOnce(address, request, signal) : first
  } catch (error) {
    if (signal.aborted) throw new BucketAway('no answer in time', { cause: error })
    return askOnce(address, request, signal).catch((again: unknown) => {
      throw new BucketAway(signal.aborted ? 'no answer in time' : networkCode(again), { cause: again })
    })
  }
}

async function askOnce(address: BucketAddress, { method, name, query, headers, body }: Asked, signal: AbortSignal): Promise<Answer> {
  const url = new URL(name === undefined ? address.url : addressOf(address.url, name))
  if (query) url.search = new URLSearchParams(query).toString()
  const bytes = new Uint8Array(body ?? [])
  const sent = await signedHeaders(address, { method, url, headers: headers ?? {}, bytes })
  const response = await fetch(url, { method, headers: sent, ...(body && { body: bytes }), signal, redirect: 'manual' })
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) }
}

/** The day's signing keys, derived from the secret. */
const signingKeys = new Map<string, ArrayBuffer>()

interface Signing {
  method: string
  url: URL
  headers: Record<string, string>
  bytes: Uint8Array
}

/** The signed headers include the body's hash, so that the store refuses altered bytes. */
export async function signedHeaders({ region, keyId, secret }: BucketAddress, { method, url, headers, bytes }: Signing): Promise<Headers> {
  const hash = createHash('sha256').update(bytes).digest('hex')
  const signer = new AwsV4Signer({
    method,
    url: url.href,
    headers: { ...headers, 'x-amz-content-sha256': hash },
    accessKeyId: keyId,
    secretAccessKey: secret,
    region,
    service: 's3',
    cache: signingKeys,
  })
  return (await signer.sign()).headers
}

const addressOf = (bucket: string, name: string) => `${bucket.replace(/\/$/, '')}/${name}`

/** A copy names its source by the bucket's name, also in host style. */
function bucketPath({ url }: BucketAddress): string {
  const { pathname, hostname, origin } = new URL(url)
  return pathname === '/' ? `${origin}/${hostname.split('.')[0]}` : url
}

const isMissing = (status: number, bytes: Buffer) => status === 404 && codeOf(bytes) !== 'NoSuchBucket'
const timeOf = (headers: Headers) => new Date(headers.get('last-modified') ?? Number.NaN)
const codeOf = (bytes: Buffer) => tagOf(bytes.subarray(0, 4096).toString('utf8'), 'Code')

/** The text of the first element with this name, with the five entities decoded. */
function tagOf(text: string, tag: string): string {
  const inside = new RegExp(`<${tag}>([^<]*)</${tag}>`).exec(text)?.[1] ?? ''
  return inside.replaceAll(/&(lt|gt|quot|apos|amp);/g, (_, name: keyof typeof entities) => entities[name])
}
const entities = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' }

function refusalOf(status: number, bytes: Buffer): Error {
  const code = codeOf(bytes)
  if (status === 507 || /^(QuotaExceeded|EntityTooLarge|XMinioStorageFull)$/.test(code)) return new BucketFull(`${status} ${code}`)
  return new BucketAway(`${status}${code && ` ${code}`}`, { isRefusal: status < 500 && status !== 429 })
}

/** Log the error code only: a network error's message may contain an address. */
function networkCode(error: unknown): string {
  for (let e = error as { code?: unknown; cause?: unknown } | undefined; e; e = e.cause as typeof e) {
    if (typeof e.code === 'string') return e.code
  }
  return 'no answer'
}
