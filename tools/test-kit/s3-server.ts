import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { BucketAddress } from '#src/kit/base/env.server.ts'

interface Kept {
  bytes: Buffer
  at: Date
}

export interface S3Server {
  address: BucketAddress
  objects: Map<string, Kept>
  /** The received requests, as `PUT pictures/…`. */
  asked: string[]
  /** `away`: answers 503. `silent`: answers nothing. `full`: has no room. `breaks`: closes the next connection without an answer. */
  state: 'well' | 'away' | 'silent' | 'full' | 'breaks'
  /** Becomes `away` at this object, so that a move breaks off at the same place on every machine. */
  lastObject: number | null
  /** Whether it supports `If-None-Match`; older stores do not. */
  knowsConditions: boolean
  listedAtOnce: number
  stop(): Promise<void>
}

const BUCKET = 'pictures-of-a-market'
const REGION = 'ap-south-1'
const KEY_ID = 'AKTESTKEY'
const SECRET = 'test/secret+of=a-store'

/** One bucket of an S3 store with an independent implementation of Signature Version 4. It refuses wrong signatures. */
export async function startS3Server(): Promise<S3Server> {
  const server = createServer((request, response) => void answer(store, request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/${BUCKET}`
  const store: S3Server = {
    address: { url, region: REGION, keyId: KEY_ID, secret: SECRET },
    objects: new Map(),
    asked: [],
    state: 'well',
    lastObject: null,
    knowsConditions: true,
    listedAtOnce: 1000,
    stop: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
  return store
}

class Refused extends Error {
  readonly status: number
  constructor(status: number, code: string) {
    super(code)
    this.status = status
  }
}

async function answer(store: S3Server, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  const url = new URL(request.url!, 'http://store')
  const [, bucket, ...rest] = decodeURIComponent(url.pathname).split('/')
  const name = rest.join('/')
  store.asked.push(`${request.method} ${name}`)
  if (store.state === 'silent') return
  if (store.state === 'breaks') {
    store.state = 'well'
    request.socket.destroy()
    return
  }
  try {
    if (store.state === 'away') throw new Refused(503, 'ServiceUnavailable')
    const body = Buffer.concat(parts)
    ensureSigned(request, url, body)
    if (bucket !== BUCKET) throw new Refused(404, 'NoSuchBucket')
    act(store, request, response, { url, name, body })
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    const text = `<?xml version="1.0"?><Error><Code>${error.message}</Code><Message>no &amp; never</Message></Error>`
    response.writeHead(error.status, { 'Content-Type': 'application/xml' }).end(request.method === 'HEAD' ? '' : text)
  }
}

interface Asked {
  url: URL
  name: string
  body: Buffer
}

function act(store: S3Server, request: IncomingMessage, response: ServerResponse, { url, name, body }: Asked): void {
  const { objects } = store
  const found = objects.get(name)
  if (request.method === 'PUT') {
    if (store.state === 'full') throw new Refused(403, 'QuotaExceeded')
    if (request.headers['if-none-match'] && !store.knowsConditions) throw new Refused(501, 'NotImplemented')
    if (request.headers['if-none-match'] === '*' && found) throw new Refused(412, 'PreconditionFailed')
    const source = request.headers['x-amz-copy-source']
    const copied = typeof source === 'string' ? objects.get(decodeURIComponent(source).slice(`/${BUCKET}/`.length)) : null
    if (source && !copied) throw new Refused(404, 'NoSuchKey')
    objects.set(name, { bytes: copied ? copied.bytes : body, at: new Date() })
    if (objects.size === store.lastObject) store.state = 'away'
    response.end(copied ? '<CopyObjectResult><ETag>"e"</ETag></CopyObjectResult>' : '')
  } else if (request.method === 'DELETE') {
    objects.delete(name)
    response.writeHead(204).end()
  } else if (url.searchParams.get('list-type') === '2') response.end(listed(store, url.searchParams))
  else if (!found) throw new Refused(404, 'NoSuchKey')
  else send(request, response, found)
}

function send(request: IncomingMessage, response: ServerResponse, { bytes, at }: Kept): void {
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? []
  if (from !== undefined && Number(from) >= bytes.length) throw new Refused(416, 'InvalidRange')
  const part = from === undefined ? bytes : bytes.subarray(Number(from), Number(to) + 1)
  response.writeHead(from === undefined ? 200 : 206, { 'Last-Modified': at.toUTCString(), 'Content-Length': part.length })
  response.end(request.method === 'HEAD' ? '' : part)
}

/** The continuation token is the last name of the page, with characters that need double escaping. */
function listed({ objects, listedAtOnce }: S3Server, query: URLSearchParams): string {
  const after = Buffer.from((query.get('continuation-token') ?? '').replace('&+/', ''), 'base64').toString()
  const all = [...objects]
    .filter(([name]) => name.startsWith(query.get('prefix') ?? '') && name > after)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  const page = all.slice(0, Math.min(listedAtOnce, Number(query.get('max-keys') ?? 1000)))
  const isMore = page.length < all.length
  const token = `&amp;+/${Buffer.from(page.at(-1)?.[0] ?? '').toString('base64')}`
  const contents = page.map(([name, { at }]) => `<Contents><Key>${name}</Key><LastModified>${at.toISOString()}</LastModified></Contents>`)
  return `<ListBucketResult><IsTruncated>${isMore}</IsTruncated>${contents.join('')}${isMore ? `<NextContinuationToken>${token}</NextContinuationToken>` : ''}</ListBucketResult>`
}

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex')
const escaped = (text: string) => encodeURIComponent(text).replaceAll(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)

/** Written from the server side of the documentation, without code of the client. */
function ensureSigned({ method, headers }: IncomingMessage, url: URL, body: Buffer): void {
  const header = headers.authorization ?? ''
  const [, keyId, day, region, signedHeaders, signature] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      header,
    ) ?? []
  if (keyId !== KEY_ID) throw new Refused(403, 'InvalidAccessKeyId')
  if (region !== REGION) throw new Refused(400, 'AuthorizationHeaderMalformed')
  const hash = headers['x-amz-content-sha256']
  if (hash !== sha256(body)) throw new Refused(400, 'XAmzContentSHA256Mismatch')
  const names = signedHeaders!.split(';')
  const mustBeSigned = ['host', ...Object.keys(headers).filter((name) => name.startsWith('x-amz-'))]
  if (mustBeSigned.some((name) => !names.includes(name))) throw new Refused(403, 'AccessDenied')
  const time = String(headers['x-amz-date'])
  const at = Date.parse(time.replace(/^(....)(..)(..)T(..)(..)(..)Z$/, '$1-$2-$3T$4:$5:$6Z'))
  if (!(Math.abs(Date.now() - at) < 900_000) || !time.startsWith(day!)) throw new Refused(403, 'RequestTimeTooSkewed')
  const query = [...url.searchParams].map(([name, value]) => `${escaped(name)}=${escaped(value)}`).sort()
  const canonical = [
    method,
    url.pathname
      .split('/')
      .map((part) => escaped(decodeURIComponent(part)))
      .join('/'),
    query.join('&'),
    ...names.map((name) => `${name}:${String(headers[name] ?? '').trim()}`),
    '',
    signedHeaders,
    hash,
  ].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const key = [region!, 's3', 'aws4_request'].reduce<Buffer>((made, part) => hmac(made, part), hmac(`AWS4${SECRET}`, day!))
  if (hmac(key, `AWS4-HMAC-SHA256\n${time}\n${scope}\n${sha256(canonical)}`).toString('hex') !== signature)
    throw new Refused(403, 'SignatureDoesNotMatch')
}
