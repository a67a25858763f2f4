import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { projectRoot } from '#src/kit/base/project-root.server.ts'
import { freeNeighbours } from '#tools/test-kit/free-port.ts'
import type { PostgresServer } from '#tools/test-kit/postgres-server.ts'
import { pathOf } from '#tools/test-kit/debian-programs.ts'
import { startPreparedPostgres } from '#tools/test-kit/prepared.ts'
import { cleanUp, startSite, tempFolder, type SiteProcess } from '#tools/test-kit/site-process.ts'
import { ask, sendVisitors, type Outcome } from '#tools/test-kit/visitors.ts'

// The proxies' files for operators, each with the real program: only ports, TLS and the number of processes differ from what is shipped.

const shipped = (name: string) => readFileSync(join(projectRoot, 'ops', name), 'utf8')

/** Replaces what must be there. */
function adapt(text: string, ...changes: [from: string | RegExp, to: string][]): string {
  return changes.reduce((now, [from, to]) => {
    expect(now).toMatch(from)
    return now.replace(from, to)
  }, text)
}

interface Ports {
  proxy: number
  sites: readonly number[]
}

/** nginx's file belongs into the one of Debian's package, which this stands for. */
function nginxFile(folder: string, { proxy, sites }: Ports): string {
  const servers = adapt(
    shipped('nginx.conf'),
    [/server \{\n {4}listen 80;[\s\S]*?\n\}\n/, ''],
    ['listen 443 ssl http2', `listen 127.0.0.1:${proxy}`],
    [/( +ssl_.*\n)+/, ''],
    ['# server', 'server'],
    ['127.0.0.1:3000', `127.0.0.1:${sites[0]}`],
    ['127.0.0.1:3001', `127.0.0.1:${sites[1]}`],
  )
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((each) => `${each}_temp_path ${join(folder, each)};`)
  const user = process.getuid?.() === 0 ? 'user root;' : ''
  return `daemon off; pid ${join(folder, 'pid')}; error_log stderr crit; ${user}
events {}
http { access_log off; ${paths.join(' ')}
${servers}}`
}

const haproxyFile = (_: string, { proxy, sites }: Ports) =>
  adapt(
    shipped('haproxy.cfg').split('\n# PgBouncer')[0]!,
    [/frontend people_in_clear\n(.+\n)+/, ''],
    [/bind :443 ssl crt \S+/, `bind 127.0.0.1:${proxy}`],
    [/127\.0\.0\.1:3000/g, `127.0.0.1:${sites[0]}`],
    [/127\.0\.0\.1:3001/g, `127.0.0.1:${sites[1]}`],
    ['maxconn 20000', 'maxconn 2000'],
  )

const caddyFile = (_: string, { proxy, sites }: Ports) =>
  adapt(
    `{\n\tadmin off\n\tlog {\n\t\tlevel FATAL\n\t}\n}\n${shipped('Caddyfile')}`,
    ['sandhai.example {', `http://127.0.0.1:${proxy} {`],
    ['127.0.0.1:3000', sites.map((port) => `127.0.0.1:${port}`).join(' ')],
  )

const proxies = {
  nginx: { file: nginxFile, args: (file: string, folder: string) => ['-p', folder, '-e', 'stderr', '-c', file] },
  haproxy: { file: haproxyFile, args: (file: string) => ['-db', '-q', '-f', file] },
  caddy: { file: caddyFile, args: (file: string) => ['run', '--adapter', 'caddyfile', '--config', file] },
}

const SECRETS = { SESSION_SECRET: 's'.repeat(32), PEPPER: 'p'.repeat(32) }
let postgres: PostgresServer
const started: ChildProcess[] = []
beforeAll(async () => {
  if (Object.keys(proxies).some((name) => pathOf(name as keyof typeof proxies))) postgres = await startPreparedPostgres()
})
afterEach(async () => {
  for (const proxy of started.splice(0)) {
    const gone = once(proxy, 'exit')
    if (proxy.exitCode === null && proxy.kill('SIGTERM')) await gone
  }
  await cleanUp()
})
afterAll(() => postgres?.stop())

/** Two processes of the site on fixed ports, and the proxy before them. */
async function startBehind(name: keyof typeof proxies, count = 2) {
  const folder = tempFolder()
  const port = await freeNeighbours([0, 1, 2])
  const ports = { proxy: port, sites: [port + 1, port + 2].slice(0, count) }
  const dataDir = tempFolder()
  const start = (sitePort: number) =>
    startSite({
      DATABASE_URL: postgres.url,
      DATA_DIR: dataDir,
      LOG_LEVEL: 'silent',
      RATE_LIMIT_FACTOR: '1000',
      TRUSTED_PROXIES: '1',
      ...SECRETS,
      PORT: String(sitePort),
    })
  const sites: SiteProcess[] = []
  for (const each of ports.sites) sites.push(await start(each))
  const file = join(folder, 'proxy.conf')
  writeFileSync(file, proxies[name].file(folder, ports))
  const env = { PATH: process.env.PATH ?? '', HOME: folder }
  const proxy = spawn(pathOf(name)!, proxies[name].args(file, folder), { stdio: ['ignore', 'ignore', 'inherit'], env })
  started.push(proxy)
  const origin = `http://127.0.0.1:${port}`
  while ((await ask(origin)).status !== 200) {
    expect(proxy.exitCode).toBeNull()
    await sleep(50)
  }
  /** Replaces one process; resolves when the next one is open. */
  const restart = async (n: number) => {
    sites[n]!.signal('SIGTERM')
    await sites[n]!.ended
    sites[n] = await start(ports.sites[n]!)
  }
  return { origin, sites: ports.sites.map((site) => `http://127.0.0.1:${site}`), restart }
}

const countOf = (words: string[]) => Object.fromEntries([...Map.groupBy(words, (word) => word)].map(([word, { length }]) => [word, length]))
const paths = ['/', '/en/buy/0', '/species/cow.webp']
/** A write that needs no login. */
const report = { path: '/api/v1/csp-report', type: 'application/csp-report', body: '{"csp-report":{"document-uri":"http://localhost/"}}' }

test('nginx never avoids a process for a while, also where only a comment names it', () => {
  const servers = shipped('nginx.conf').match(/server 127.*/g)
  expect(servers).toHaveLength(2)
  expect(servers!.filter((line) => !line.includes(' max_fails=0;'))).toEqual([])
})

describe.each(Object.keys(proxies) as (keyof typeof proxies)[])('behind %s with its file for operators', (name) => {
  test.skipIf(pathOf(name) === null)('two processes that restart one after the other answer everybody', async () => {
    const { origin, restart } = await startBehind(name)
    const visitors = sendVisitors(origin, [...paths, report], 10, 333)
    await sleep(1000)
    await restart(0)
    // The guide says so: Caddy has to see that the first one is open again.
    await sleep(1000)
    await restart(1)
    await sleep(1000)
    await visitors.goHome()
    // On a busy machine, the process that is left may ask somebody for patience; a proxy's own 503 has no Retry-After.
    const isLost = ({ kind, status, retryAfter }: Outcome) =>
      kind !== 'answered' || !(status === 200 || status === 204 || (status === 503 && retryAfter !== undefined))
    const words = ({ kind, status, path }: Outcome) => `${kind} ${status} ${path}`
    const lost = visitors.outcomes.filter(isLost).map(words)
    expect(lost, JSON.stringify(countOf(lost))).toEqual([])
    const answered = visitors.outcomes.filter(({ status }) => status !== 503).map(words)
    expect(Object.keys(countOf(answered)).toSorted()).toEqual([
      'answered 200 /',
      'answered 200 /en/buy/0',
      'answered 200 /species/cow.webp',
      `answered 204 ${report.path}`,
    ])
  })

  test.skipIf(pathOf(name) === null)('pages from the cache are shown while the database is away', async () => {
    const { origin, sites } = await startBehind(name)
    for (const site of sites) for (const path of paths) await ask(site + path)
    await postgres.crash()
    try {
      const visitors = sendVisitors(origin, paths, 10, 333)
      await sleep(6000)
      await visitors.goHome()
      const outcomes = visitors.outcomes.map(({ kind, status }) => `${kind} ${status}`)
      expect(countOf(outcomes)).toEqual({ 'answered 200': outcomes.length })
    } finally {
      await postgres.restart()
    }
  })
})
