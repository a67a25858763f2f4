import { createHash } from 'node:crypto'
import { AwsV4Signer } from 'aws4fetch'

/** A bucket of any store that speaks S3. Its address is that of the bucket itself, so both ways of naming one work. */
export interface BucketAddress {
  /** `https://s3.example/sandhai-pictures` or `https://sandhai-pictures.s3.example`. */
  url: string
  region: string
  keyId: string
  secret: string
}

/** The store gave no answer, or one that it does not give while all is well. `isRefusal`: it answered, and asking again will not help. */
export class BucketAway extends Error {
  readonly isRefusal: boolean
  constructor(why: string, { isRefusal = false, cause }: { isRefusal?: boolean; cause?: unknown } = {}) {
    super(`The bucket of pictures cannot be used (${why}).`, { cause })
    this.name = 'BucketAway'
    this.isRefusal = isRefusal
  }
}

/** The store has no room left, or our share of it is used up. */
export class BucketFull extends Error {}

export interface Found {
  bytes: Buffer
  savedAt: Date
}

export interface Bucket {
  /** Resolves once the store answers for the whole object. False: `isFirst` was asked for, and somebody was there before. */
  put(name: string, bytes: Uint8Array, how?: { isFirst?: boolean }): Promise<boolean>
  /** Null: there is no such object. `range`: its first and last byte, of which the store may send fewer. */
  get(name: string, range?: [number, number]): Promise<Found | null>
  savedAt(name: string): Promise<Date | null>
  /** False: there was nothing to copy. */
  copy(from: string, to: string): Promise<boolean>
  /** Removing what is not there is fine. */
  remove(name: string): Promise<void>
  list(prefix: string): AsyncIterable<{ name: string; savedAt: Date }>
  /** Throws BucketAway soon when the bucket is not there for us. */
  probe(): Promise<void>
}

/** A picture is answered or refused within three seconds, as every read; for a save, somebody waits who can wait longer. */
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

/** The few words of S3 that a picture store needs, each signed, and what is sent with its hash, so that the store refuses what was altered. */
export function openBucket(address: BucketAddress): Bucket {
  const ask = (asked: Asked) => askTwice(address, asked)

  async function put(name: string, bytes: Uint8Array, { isFirst = false } = {}): Promise<boolean> {
    const headers: Record<string, string> = { 'content-type': 'application/octet-stream', ...(isFirst && { 'if-none-match': '*' }) }
    const { status, bytes: text } = await ask({ method: 'PUT', name, headers, body: bytes, atMostMs: WRITE_MS })
    if (isFirst && (status === 412 || status === 409)) return false
    // A store that does not know the condition: the caller looks at what stands there afterwards.
    if (isFirst && status === 501) return put(name, bytes)
    if (status !== 200) throw refusalOf(status, text)
    return true
  }

  async function get(name: string, range?: [number, number]): Promise<Found | null> {
    const headers: Record<string, string> = range ? { range: `bytes=${range[0]}-${range[1]}` } : {}
    const { status, headers: told, bytes } = await ask({ method: 'GET', name, headers, atMostMs: range ? READ_MS : WRITE_MS })
    if (isMissing(status, bytes)) return null
    if (status !== 200 && status !== 206) throw refusalOf(status, bytes)
    // A store may send all of it all the same.
    return { bytes: range && status === 200 ? bytes.subarray(range[0], range[1] + 1) : bytes, savedAt: timeOf(told) }
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
    // A copy may fail after its status was sent: then the body says so.
    if (status !== 200 || codeOf(bytes) !== '') throw refusalOf(status, bytes)
    return true
  }

  async function remove(name: string): Promise<void> {
    const { status, bytes } = await ask({ method: 'DELETE', name, atMostMs: WRITE_MS })
    if (status !== 200 && status !== 204 && !isMissing(status, bytes)) throw refusalOf(status, bytes)
  }

  async function page(query: Record<string, string>, atMostMs: number): Promise<string> {
    const { status, bytes } = await ask({ method: 'GET', query: { 'list-type': '2', ...query }, atMostMs })
    if (status !== 200) throw refusalOf(status, bytes)
    return bytes.toString('utf8')
  }

  async function* list(prefix: string) {
    for (let token = ''; ;) {
      const query = { prefix, 'max-keys': String(LISTED_AT_ONCE), ...(token && { 'continuation-token': token }) }
      const text = await page(query, WRITE_MS)
      for (const [, entry = ''] of text.matchAll(/<Contents>(.*?)<\/Contents>/gs)) {
        yield { name: tagOf(entry, 'Key'), savedAt: new Date(tagOf(entry, 'LastModified')) }
      }
      token = tagOf(text, 'IsTruncated') === 'true' ? tagOf(text, 'NextContinuationToken') : ''
      if (token === '') return
    }
  }

  return { put, get, savedAt, copy, remove, list, probe: async () => void (await page({ 'max-keys': '1' }, PROBE_MS)) }
}

/** A connection that the store has just closed is no reason to refuse a person; every request of ours may be sent twice. */
async function askTwice(address: BucketAddress, asked: Asked): Promise<Answer> {
  const signal = AbortSignal.timeout(asked.atMostMs)
  try {
    const first = await askOnce(address, asked, signal)
    return first.status >= 500 && first.status !== 501 && first.status !== 507 ? await askOnce(address, asked, signal) : first
  } catch (error) {
    if (signal.aborted) throw new BucketAway('no answer in time', { cause: error })
    return askOnce(address, asked, signal).catch((again: unknown) => {
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

/** Keys of the day that are derived from a secret. */
const signingKeys = new Map<string, ArrayBuffer>()

interface Signing {
  method: string
  url: URL
  headers: Record<string, string>
  bytes: Uint8Array
}

/** With the body's hash among them, so that the store refuses what was altered on its way. */
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

/** A copy names its source by the bucket's name, also where the bucket is named by its host. */
function bucketPath({ url }: BucketAddress): string {
  const { pathname, hostname, origin } = new URL(url)
  return pathname === '/' ? `${origin}/${hostname.split('.')[0]}` : url
}

const isMissing = (status: number, bytes: Buffer) => status === 404 && codeOf(bytes) !== 'NoSuchBucket'
const timeOf = (headers: Headers) => new Date(headers.get('last-modified') ?? Number.NaN)
const codeOf = (bytes: Buffer) => tagOf(bytes.subarray(0, 4096).toString('utf8'), 'Code')

/** What stands in the first element of that name, without the five entities. */
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

/** The code alone: a message of the network may name an address. */
function networkCode(error: unknown): string {
  for (let e = error as { code?: unknown; cause?: unknown } | undefined; e; e = e.cause as typeof e) {
    if (typeof e.code === 'string') return e.code
  }
  return 'no answer'
}
