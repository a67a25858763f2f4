import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PostgresServer } from '#tools/test-kit/postgres-server.ts'
import { startPreparedPostgres } from '#tools/test-kit/prepared.ts'
import { cleanUp, launchSite, tempFolder } from '#tools/test-kit/site-process.ts'
import { ask } from '#tools/test-kit/visitors.ts'

let postgres: PostgresServer
let dataDir: string
beforeAll(async () => {
  postgres = await startPreparedPostgres()
  dataDir = tempFolder()
})
afterAll(async () => {
  await cleanUp()
  await postgres?.stop()
})

const PATHS = ['/', '/en/buy/0', '/healthz']
const childrenOf = (pid: number) => readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number)

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await sleep(20)
}

async function startPair() {
  const variables = { CLUSTER: '2', DATABASE_URL: postgres.url, DATA_DIR: dataDir, LOG_LEVEL: 'silent', RATE_LIMIT_FACTOR: '1000' }
  let isOver = false
  const site = launchSite(variables, { program: 'scripts/start.ts' })
  void site.ended.then(() => (isOver = true))
  const opened = () => site.out().flatMap((line) => /is open at http:\/\/localhost:(\d+)/.exec(line)?.[1] ?? [])
  await until(() => isOver || opened().length === 2)
  expect(site.err()).toEqual([])
  const pid = site.child.pid!
  return { ...site, pid, opened, origin: `http://127.0.0.1:${opened()[0]}` }
}

/** Sends half of a request. The returned function sends the rest and returns the status or the error. */
function beginReport(origin: string): () => Promise<number | string> {
  const body = '{"csp-report":{}}'
  const headers = { 'Content-Type': 'application/csp-report', 'Content-Length': body.length }
  const sending = request(`${origin}/api/v1/csp-report`, { method: 'POST', agent: false, headers })
  const answer = new Promise<number | string>((resolve) => {
    sending.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    sending.on('response', (response) => response.on('end', () => resolve(response.statusCode!)).resume())
  })
  sending.write(body.slice(0, 5))
  return () => {
    sending.end(body.slice(5))
    return answer
  }
}

describe('CLUSTER=2', () => {
  test('starts two processes on one port, and replaces a killed one while people are served', async () => {
    const site = await startPair()
    expect(new Set(site.opened()).size).toBe(1)
    const [first, second] = childrenOf(site.pid)
    expect([first, second]).not.toContain(undefined)
    process.kill(first!, 'SIGKILL')
    await until(() => !childrenOf(site.pid).includes(first!))
    for (const path of PATHS) expect((await ask(site.origin + path)).status).toBe(200)
    await until(() => site.opened().length === 3)
    expect(childrenOf(site.pid)).toHaveLength(2)
    expect(childrenOf(site.pid)).toContain(second)
    expect(site.err()).toEqual([expect.stringContaining('another one takes its place')])
  })

  test.each([false, true])('finishes running requests at SIGTERM and leaves no process behind (signal to all: %s)', async (signalsAll) => {
    const site = await startPair()
    const processes = childrenOf(site.pid)
    const begun = [beginReport(site.origin), beginReport(site.origin), beginReport(site.origin)]
    await sleep(300)
    for (const pid of [site.pid, ...(signalsAll ? processes : [])]) process.kill(pid, 'SIGTERM')
    await sleep(300)
    expect(await Promise.all(begun.map((finish) => finish()))).toEqual([204, 204, 204])
    expect(await site.ended).toMatchObject({ code: 0, err: [] })
    for (const pid of processes) expect(() => process.kill(pid, 0)).toThrow('ESRCH')
  })

  test('exits at once when the site cannot start, with the reason once', async () => {
    const nowhere = { CLUSTER: '2', DATABASE_URL: 'postgres://127.0.0.1:1/none', DATA_DIR: tempFolder() }
    expect(await launchSite(nowhere, { program: 'scripts/start.ts' }).ended).toMatchObject({
      code: 1,
      err: ['DATABASE_URL: the database cannot be opened (nothing listens at that address).'],
    })
    const embedded = { CLUSTER: '2', DATA_DIR: tempFolder() }
    expect(await launchSite(embedded, { program: 'scripts/start.ts' }).ended).toMatchObject({
      code: 1,
      err: ['DATABASE_URL must be set when CLUSTER is more than 1: one process alone has the embedded database.'],
    })
  })
})
