import { once } from 'node:events'
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, inject, test } from 'vitest'
import { cleanUp, startSite, tempFolder } from '#tools/test-kit/site-process.ts'
import { ask, sendVisitors } from '#tools/test-kit/visitors.ts'

afterEach(cleanUp)

const openSite = () => startSite({ DATA_DIR: tempFolder(inject('preparedDataDir')), LOG_LEVEL: 'silent' })
const paths = ['/', '/healthz', '/species/cow.webp', '/en/buy/0']

/** Sent over a slow connection: it begins before the signal and ends well after the site has stopped listening. */
function sendSlowly(origin: string, seconds: number) {
  const report = '{"csp-report":{}}'.padEnd(seconds * 10)
  return new Promise<number | string>((resolve) => {
    const headers = { 'Content-Type': 'application/csp-report', 'Content-Length': report.length }
    const req = request(`${origin}/api/v1/csp-report`, { method: 'POST', agent: false, headers })
    req.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    req.on('response', (response) => response.on('end', () => resolve(response.statusCode!)).resume())
    let sent = 0
    const drip = setInterval(() => {
      req.write(report[sent++])
      if (sent < report.length) return
      clearInterval(drip)
      req.end()
    }, 100)
  })
}

/** A load balancer: polls /readyz and sends nobody any more once it answers no. */
async function untilNotReady(origin: string): Promise<number> {
  for (;;) {
    const outcome = await ask(`${origin}/readyz`)
    if (outcome.status !== 200) return outcome.status ?? 0
    await sleep(25)
  }
}

describe('a stop with SIGTERM', () => {
  test('breaks no request at a hundred a second, and exits with code 0 within ten seconds', async () => {
    const site = await openSite()
    for (const path of paths) await ask(site.origin + path)
    const balanced = sendVisitors(site.origin, paths, 10, 200)
    const stubborn = sendVisitors(site.origin, paths, 10, 200)
    await sleep(1000)
    const slow = sendSlowly(site.origin, 3)
    await sleep(100)
    site.signal('SIGTERM')
    expect(await untilNotReady(site.origin)).toBe(503)
    await balanced.goHome()
    const ending = await site.ended
    await stubborn.goHome()

    // After ten seconds the site would have exited with code 1.
    expect(ending).toMatchObject({ code: 0, signal: null, err: [] })
    expect(balanced.outcomes.length).toBeGreaterThan(0)
    expect(balanced.outcomes.filter(({ kind, status }) => kind !== 'answered' || status !== 200)).toEqual([])
    // A client that ignores the balancer is refused a new connection, but loses nothing on an open one.
    expect(stubborn.outcomes.filter(({ kind }) => kind === 'refused').length).toBeGreaterThan(0)
    expect(stubborn.outcomes.filter(({ kind, reusedSocket }) => kind === 'broken' && reusedSocket)).toEqual([])
    expect(stubborn.outcomes.filter(({ kind, status }) => kind === 'answered' && status !== 200)).toEqual([])
    expect(await slow).toBe(204)
  })

  test("does not wait for a browser's speculative connection without a request", async () => {
    const site = await openSite()
    const socket = connect(Number(new URL(site.origin).port), '127.0.0.1')
    await once(socket, 'connect')
    await sleep(100)
    site.signal('SIGTERM')
    expect(await site.ended).toMatchObject({ code: 0, signal: null })
    socket.destroy()
  })

  test('exits at once at a second signal, even during a request', async () => {
    const site = await openSite()
    const slow = sendSlowly(site.origin, 5)
    await sleep(200)
    site.signal('SIGTERM')
    await sleep(200)
    site.signal('SIGTERM')
    // Before the request ends, which would have been answered.
    expect(await site.ended).toMatchObject({ code: 1, signal: null })
    expect(await slow).toBe('ECONNRESET')
  })
})

describe('control: a server', () => {
  test('that closes its connections at once breaks the slow request, and visitors notice', async () => {
    let isClosing = false
    const answer = (req: IncomingMessage, res: ServerResponse) => {
      setTimeout(() => res.end('ok'), 20)
      // Close only while a visitor waits: on a busy machine there may be a moment without any.
      if (!isClosing || req.method !== 'GET') return
      server.close()
      server.closeAllConnections()
    }
    const server = createServer((req, res) => req.resume().on('end', () => answer(req, res))).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const visitors = sendVisitors(origin, ['/'], 200, 200)
    const slow = sendSlowly(origin, 3)
    await sleep(500)
    isClosing = true
    await once(server, 'close')
    await visitors.goHome()
    expect(await slow).toBe('ECONNRESET')
    expect(visitors.outcomes.filter(({ kind }) => kind === 'broken').length).toBeGreaterThan(0)
  })
})
