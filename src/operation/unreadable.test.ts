import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { cleanUp, startSite, tempFolder, type SiteProcess } from '#tools/test-kit/site-process.ts'

// safety.md §2.2, HTTP framing: an invalid request is refused with the same headers as any other refusal, and the process survives it.

let site: SiteProcess
beforeAll(async () => {
  site = await startSite({ DATA_DIR: tempFolder(inject('preparedDataDir')), LOG_LEVEL: 'warn' })
})
afterAll(cleanUp)

/** Returns what the socket receives until it is closed or silent for a second. */
function say(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port: Number(new URL(site.origin).port) })
    let heard = ''
    const end = () => {
      socket.destroy()
      resolve(heard)
    }
    socket.setTimeout(1000, end)
    socket.on('data', (chunk) => (heard += chunk.toString()))
    socket.on('end', end)
    socket.on('error', (error) => (heard ? resolve(heard) : reject(error)))
    socket.write(text)
  })
}

const unreadable: [string, string, number][] = [
  ['two lengths', 'POST /api/v1/login HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello', 400],
  [
    'a length and chunks',
    'POST /api/v1/login HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    400,
  ],
  ['an encoding that is none', 'POST /api/v1/login HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n', 400],
  ['bare line feeds', 'GET / HTTP/1.1\nHost: x\n\n', 400],
  ['a blank before the colon', 'GET / HTTP/1.1\r\nHost : x\r\n\r\n', 400],
  ['a folded header', 'GET / HTTP/1.1\r\nHost: x\r\nX: a\r\n b\r\n\r\n', 400],
  ['no host', 'GET / HTTP/1.1\r\n\r\n', 400],
  ['another protocol', '\x16\x03\x01\x00\xa5\r\n\r\n', 400],
  ['a header of 40 KB', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(40_000)}\r\n\r\n`, 431],
  ['a path that cannot be decoded', 'GET /%E0%A4%A HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 400],
]

describe('an invalid request', () => {
  test.each(unreadable)('%s is refused with a request id, and is never cached', async (_, text, status) => {
    const heard = await say(text)
    const [head = ''] = heard.split('\r\n\r\n')
    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(head).toMatch(/^x-request-id: [\w-]{36}$/im)
    expect(head).toMatch(/^cache-control: no-store$/im)
    expect(head).toMatch(/^content-security-policy: default-src 'none'/im)
    expect(heard).not.toMatch(/node_modules|\.ts:\d|Error:/)
  })

  test('neither ends the process nor writes a line to its log', async () => {
    const response = await fetch(`${site.origin}/healthz`)
    expect(response.status).toBe(200)
    expect([...site.out(), ...site.err()].filter((line) => /unhandled|Error/.test(line))).toEqual([])
  })
})

describe('a body that is too large', () => {
  const text = 'a'.repeat(200_000)
  test.each([
    ['ta', 'அனுப்பியது அளவில் மிகப் பெரியது.'],
    ['en', 'What was sent is too large.'],
  ])('is refused in the language of the reader: %s', async (language, detail) => {
    const headers = { 'content-type': 'application/json', 'accept-language': language }
    const response = await fetch(`${site.origin}/api/v1/login`, { method: 'POST', headers, body: text })
    expect([response.status, await response.json()]).toEqual([413, expect.objectContaining({ code: 'TOO_LARGE', detail })])
  })
})

test('the site keeps idle connections longer than proxies do, so that no proxy sends an order on a connection that the site closes', async () => {
  const heard = await say('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')
  const seconds = /^keep-alive: timeout=(\d+)/im.exec(heard)?.[1]
  expect(Number(seconds)).toBeGreaterThan(60)
})
