import { createHash, createHmac } from 'node:crypto'

interface Signing {
  method: string
  url: URL
  /** Lower case names; all of them are signed. */
  headers: Record<string, string>
  body: Uint8Array | string
  region: string
  keyId: string
  secret: string
  now: Date
}

/** Signature Version 4 as S3 wants it: the headers to send. The body's hash is among them, so the store refuses what was altered on its way. */
export function signed({ method, url, headers, body, region, keyId, secret, now }: Signing): Record<string, string> {
  const time = now.toISOString().replaceAll(/[-:]|\.\d{3}/g, '')
  const day = time.slice(0, 8)
  const hash = sha256(body)
  const all: Record<string, string> = { ...headers, host: url.host, 'x-amz-content-sha256': hash, 'x-amz-date': time }
  const names = Object.keys(all).sort()
  const canonical = [
    method,
    url.pathname
      .split('/')
      .map((part) => escaped(decodeURIComponent(part)))
      .join('/'),
    [...url.searchParams]
      .map(([name, value]) => `${escaped(name)}=${escaped(value)}`)
      .sort()
      .join('&'),
    ...names.map((name) => `${name}:${all[name]!.trim()}`),
    '',
    names.join(';'),
    hash,
  ].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const key = [day, region, 's3', 'aws4_request'].reduce<Buffer>((made, part) => hmac(made, part), Buffer.from(`AWS4${secret}`))
  const signature = hmac(key, `AWS4-HMAC-SHA256\n${time}\n${scope}\n${sha256(canonical)}`).toString('hex')
  const { host: _, ...sent } = all
  return {
    ...sent,
    authorization: `AWS4-HMAC-SHA256 Credential=${keyId}/${scope}, SignedHeaders=${names.join(';')}, Signature=${signature}`,
  }
}

/** The query of an address as it is signed: a store reads `+` as it likes. */
export const queryOf = (query: Record<string, string>): string =>
  Object.entries(query)
    .map(([name, value]) => `${escaped(name)}=${escaped(value)}`)
    .join('&')

const hmac = (key: Buffer, text: string) => createHmac('sha256', key).update(text).digest()
const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex')
const escaped = (text: string) =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`)
