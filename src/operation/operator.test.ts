import { get } from 'node:http'
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, readdirSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, describe, expect, inject, test } from 'vitest'
import { projectRoot } from '#src/kit/base/project-root.server.ts'
import { freePort } from '#tools/test-kit/free-port.ts'
import type { PostgresServer } from '#tools/test-kit/postgres-server.ts'
import { pathOf } from '#tools/test-kit/debian-programs.ts'
import { isOperatorHost } from './operator-port.server.ts'
import { isReady, type Readiness } from './readiness.server.ts'
import { startPreparedPostgres } from '#tools/test-kit/prepared.ts'
import { cleanUp, launchSite, startSite, tempFolder } from '#tools/test-kit/site-process.ts'

afterEach(cleanUp)

/** The run reports when it is missing (debian-programs.ts). */
function promtool(args: string[], input?: string): void {
  const program = pathOf('promtool')
  if (program) execFileSync(program, args, { input, stdio: ['pipe', 'pipe', 'pipe'] })
}

describe("the operator's port", () => {
  test("has the process's figures: requests by pattern, gates, disk, messages; the public port has none of them", async () => {
    const port = await freePort()
    const site = await startSite({ DATA_DIR: tempFolder(inject('preparedDataDir')), LOG_LEVEL: 'warn', OPERATOR_PORT: String(port) })
    for (const path of ['/', '/en/buy/0?q=9876543210', '/api/v1/csrf', '/nowhere/9876543210', '/media/x.jpg'])
      await fetch(site.origin + path)
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
    for (const series of [
      'sandhai_http_requests_total{method="read",route="/buy/:typeId",status="200"} 1',
      'sandhai_http_requests_total{method="read",route="/api/v1/csrf",status="204"} 1',
      'sandhai_http_requests_total{method="read",route="other",status="404"} 1',
      'sandhai_gate_inside{gate="reads"} 0',
      'sandhai_ready{what="database"} 1',
      'sandhai_outbox_waiting 0',
      'sandhai_backup_success_timestamp_seconds 0',
    ])
      expect(text).toContain(`\n${series}\n`)
    expect(text).toMatch(/\nsandhai_process_resident_bytes \d{8,}\n/)
    expect(text).toMatch(/\nsandhai_disk_free_bytes \d+\n/)
    // Series exist before the first success and the first failure, so that alerts have a value.
    expect(text).toMatch(/\nsandhai_round_success_timestamp_seconds\{round="sweep-accounts"\} \d+/)
    for (const sum of ['http_failures', 'messages_given_up', 'codes_sent', 'codes_used'])
      expect(text).toContain(`\nsandhai_${sum}_total 0\n`)
    expect(text).toMatch(/\nsandhai_http_request_seconds_bucket\{method="read",route="\/buy\/:typeId",le="\+Inf"\} 1\n/)
    // No series carries typed text.
    expect(text).not.toContain('9876543210')
    promtool(['check', 'metrics'], text)
    const statusFor = (host: string, path: string) =>
      new Promise((resolve, reject) => {
        get({ port, path, headers: { host } }, (response) => resolve(response.resume().statusCode)).on('error', reject)
      })
    for (const path of ['/metrics', '/readyz']) {
      expect(await statusFor('evil.example', path)).toBe(421)
      expect(await statusFor('10.1.2.3:9464', path)).toBe(200)
    }
    expect((await fetch(`${site.origin}/metrics`)).status).toBe(404)
    // Each metric that an alert or a panel names exists now or after its first event.
    const asked = [
      readFileSync(join(projectRoot, 'ops/alerts.yml'), 'utf8'),
      readFileSync(join(projectRoot, 'ops/grafana-dashboard.json'), 'utf8'),
    ]
    const known = readFileSync(join(projectRoot, 'src/operation/metrics.server.ts'), 'utf8')
    const names = new Set(
      asked
        .join()
        .match(/sandhai_\w+/g)!
        .map((name) => name.replace(/_bucket$/, '')),
    )
    expect([...names].filter((name) => !known.includes(`  ${name}: [`))).toEqual([])
    promtool(['check', 'rules', join(projectRoot, 'ops/alerts.yml')])
  })

  test('is for addresses, this machine, names without a dot and OPERATOR_HOST, never for a name that a web page may have', () => {
    const good = ['127.0.0.1:9464', '[::1]:9464', '10.1.2.3:9464', '[fd00::7]', 'localhost:9464', 'sandhai', 'ops.internal:9464']
    const bad = ['evil.example', 'evil.example:9464', '127.0.0.1.evil.example', 'localhost.', '', 'a b']
    expect(good.filter((host) => !isOperatorHost(host, 'ops.internal'))).toEqual([])
    expect(bad.filter((host) => isOperatorHost(host, 'ops.internal'))).toEqual([])
    // HTTP 1.0 has no such header.
    expect(isOperatorHost(undefined, '127.0.0.1')).toBe(true)
  })

  test('fires each alert for its cause, and none without one', async () => {
    const rules = readFileSync(join(projectRoot, 'ops/alerts.yml'), 'utf8')
    const tried = readFileSync(join(projectRoot, 'ops/alerts.test.yml'), 'utf8')
    const names = [...rules.matchAll(/alert: (\w+)/g)].map(([, name]) => name!)
    expect(names.filter((name) => !tried.includes(`alertname="${name}"`))).toEqual([])
    promtool(['test', 'rules', join(projectRoot, 'ops/alerts.test.yml')])
  })

  test('has the reason why the site is not ready, which the public port hides', async () => {
    const postgres: PostgresServer = await startPreparedPostgres()
    afterAll(() => postgres.stop())
    const port = await freePort()
    const site = await startSite({
      DATA_DIR: tempFolder(),
      DATABASE_URL: postgres.url,
      LOG_LEVEL: 'silent',
      OPERATOR_PORT: String(port),
    })
    const operators = async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).json() as Promise<{ isReady: boolean; all: Readiness[] }>
    expect(await operators()).toMatchObject({ isReady: true })
    await postgres.crash()
    while ((await fetch(`${site.origin}/readyz`)).status === 200) await sleep(50)
    const { isReady, all } = await operators()
    expect(isReady).toBe(false)
    expect(all.find(({ what }) => what === 'database')!.why).toMatch(/^it took no write: \w+/)
    expect(await (await fetch(`${site.origin}/readyz`)).text()).toBe('not ready')
    const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
    expect(metrics).toContain('\nsandhai_ready{what="database"} 0\n')
  })

  test('a full picture disk is reported but does not redirect visitors: it stops uploads only', () => {
    const all = (what: Readiness['what'], isNeeded: boolean): Readiness[] => [{ what, isNeeded, isWell: false, why: '' }]
    expect(isReady(all('picture disk', false))).toBe(true)
    expect(isReady(all('database', true))).toBe(false)
  })
})

test('the firewall file for operators is valid', () => {
  const program = pathOf('nft')
  if (!program) return
  const { status, stderr } = spawnSync(program, ['-c', '-f', join(projectRoot, 'ops/nftables.conf')], { encoding: 'utf8' })
  // Even a check asks the kernel, which a container may not allow.
  if (stderr.includes('Operation not permitted')) return console.log('NOT TRIED: nft may not ask the kernel here')
  expect([status, stderr]).toEqual([0, ''])
})

test("the operator's port listens at OPERATOR_HOST, and a wrong value ends the start", async () => {
  const port = await freePort()
  await startSite({
    DATA_DIR: tempFolder(inject('preparedDataDir')),
    LOG_LEVEL: 'silent',
    OPERATOR_PORT: String(port),
    OPERATOR_HOST: '127.0.0.2',
  })
  expect((await fetch(`http://127.0.0.2:${port}/readyz`)).status).toBe(200)
  await expect(fetch(`http://127.0.0.1:${port}/readyz`)).rejects.toThrow()
  const foreign = {
    DATA_DIR: tempFolder(inject('preparedDataDir')),
    LOG_LEVEL: 'silent',
    OPERATOR_PORT: String(port),
    OPERATOR_HOST: '203.0.113.1',
  }
  expect((await launchSite(foreign).ended).err).toEqual(['OPERATOR_HOST is not an address of this machine.'])
})

describe('the maintenance switch', () => {
  test('keeps pages working, refuses writes with a reason in both languages, and the log sums the refusals up', async () => {
    const dataDir = tempFolder(inject('preparedDataDir'))
    const site = await startSite({ DATA_DIR: dataDir, LOG_LEVEL: 'warn' })
    const flip = (state: string) => launchSite({ DATA_DIR: dataDir }, { program: 'scripts/admin.ts', args: ['maintenance', state] }).ended
    const send = (path: string, headers: Record<string, string>, body: string) =>
      fetch(site.origin + path, { method: 'POST', headers, body })
    const call = (language: string) =>
      send(
        '/api/v1/login',
        { 'Content-Type': 'application/json', 'Accept-Language': language },
        '{"username":"+919999999999","password":"x"}',
      )
    expect((await call('en')).status).toBe(403)
    expect(await flip('on')).toMatchObject({ code: 0, err: [] })
    while ((await call('en')).status !== 503) await sleep(50)
    expect((await fetch(site.origin)).status).toBe(200)
    expect((await fetch(`${site.origin}/readyz`)).status).toBe(200)
    const refused = await call('ta')
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '300'])
    expect(await refused.json()).toMatchObject({ code: 'UNAVAILABLE', detail: expect.stringContaining('பராமரிப்பு') })
    const form = await send('/en/login', { 'Content-Type': 'application/x-www-form-urlencoded' }, 'phone=1')
    expect(form.status).toBe(503)
    const page = await form.text()
    expect(page).toContain('We are doing maintenance.')
    expect(page).toContain('பராமரிப்பு வேலை நடக்கிறது.')
    await expect.poll(() => site.out().filter((line) => line.includes('"refusals"')).length, { timeout: 20_000 }).toBeGreaterThan(0)
    const lines = site
      .out()
      .filter((line) => line.includes('"refusals"'))
      .map((line) => JSON.parse(line) as { refused: Record<string, number> })
    expect(Object.keys(lines[0]!.refused)).toEqual(['503'])
    expect(await flip('off')).toMatchObject({ code: 0 })
    while ((await call('en')).status !== 403) await sleep(50)
    expect((await flip('maybe')).code).toBe(1)
  })
})

describe('a damaged embedded folder', () => {
  const damages: [string, (database: string) => void][] = [
    ['without its control file', (database) => rmSync(join(database, 'global/pg_control'))],
    ['with half of its control file', (database) => truncateSync(join(database, 'global/pg_control'), 100)],
    ['without its version', (database) => rmSync(join(database, 'PG_VERSION'))],
    ['without its tables', (database) => rmSync(join(database, 'base'), { recursive: true })],
    ['that is gone', (database) => rmSync(database, { recursive: true })],
  ]
  test.each(damages)('%s is refused with the damage and what to do, and stays unchanged', async (_, damage) => {
    const dataDir = tempFolder(inject('preparedDataDir'))
    const database = join(dataDir, 'database')
    // A complete start leaves this mark.
    expect(readdirSync(dataDir)).toContain('database.made')
    damage(database)
    const { code, err } = await launchSite({ DATA_DIR: dataDir, LOG_LEVEL: 'silent' }).ended
    expect(code).toBe(1)
    const line = err.at(-1)!
    expect(line).toContain(`The embedded database in ${database} is damaged: `)
    expect(line).toContain('restore a backup into an empty one (npm run restore)')
    expect(statSync(join(database, 'base/1'), { throwIfNoEntry: false }) === undefined).toBe(
      _ === 'without its tables' || _ === 'that is gone',
    )
  })
})

test('control: a complete copy of the folder opens', async () => {
  const dataDir = tempFolder()
  cpSync(inject('preparedDataDir'), dataDir, { recursive: true })
  const site = await startSite({ DATA_DIR: dataDir, LOG_LEVEL: 'silent' })
  expect((await fetch(`${site.origin}/readyz`)).status).toBe(200)
})
