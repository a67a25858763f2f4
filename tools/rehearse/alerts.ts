import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { projectRoot } from '#src/kit/base/project-root.server.ts'
import { startFakeMsg91, type FakeMsg91 } from '#tools/test-kit/fake-msg91.ts'
import { startPostgres, type PostgresServer } from '#tools/test-kit/postgres-server.ts'
import { withDatabase, prepare } from '#tools/test-kit/prepared.ts'
import { cleanUp, endAll, startSite, tempFolder, type SiteProcess } from '#tools/test-kit/site-process.ts'
import { allSmsTemplates } from '#tools/test-kit/sms-templates.ts'
import { freePort, launch, rehearsalFolder, until } from './programs.ts'

export const PROMETHEUS = '/usr/bin/prometheus'
const ORIGIN = 'http://localhost:3999'

/** Shortens an hour to two minutes, and so on: the rehearsal checks that an alert detects its cause, not its delays. */
const shortened = (rules: string) =>
  rules
    .replaceAll('[5m]', '[20s]')
    .replaceAll('[1h]', '[2m]')
    .replace(/for: \w+/g, 'for: 4s')
    .replace('> 300', '> 30')
    .replace('3 * 3600', String(ROUND_LATE_SECONDS))

/** After the first background jobs (five minutes after the start), and before a job that ended one minute after the start is this old. */
const ROUND_LATE_SECONDS = 330

interface Market {
  site: SiteProcess
  postgres: PostgresServer
  provider: FakeMsg91
  /** Null when this user may not mount a disk. */
  disk: string | null
}

interface Cause {
  alert: string
  title: string
  /** Causes the fault, and returns how to undo it. */
  strike(market: Market): Promise<() => Promise<unknown> | void>
}

const onDatabase = (market: Market, statement: string) =>
  withDatabase(market.postgres.url, async ({ db }) => void (await db.execute(sql.raw(statement))))

const renamed = async (market: Market, table: string) => {
  await onDatabase(market, `alter table ${table} rename to ${table}_away`)
  return () => onDatabase(market, `alter table ${table}_away rename to ${table}`)
}

/** Sends requests until the returned function is called. */
function whileAsking(ask: (n: number) => Promise<unknown>, people = 8): () => Promise<void> {
  let isOver = false
  let asked = 0
  const all = Array.from({ length: people }, async () => {
    while (!isOver) await Promise.all([ask((asked += 1)).catch(() => {}), sleep(50)])
  })
  return async () => {
    isOver = true
    await Promise.all(all)
  }
}

let visitors = 0
let askers = 0
const visit = ({ site }: Market, path: string, init: RequestInit = {}) => {
  visitors += 1
  const address = `${20 + (visitors % 150)}.${visitors % 250}.${Math.floor(visitors / 250)}.7`
  return fetch(site.origin + path, { ...init, headers: { ...init.headers, 'X-Forwarded-For': address } })
}

/** Requests a one-time code and leaves; each call has its own address, browser and number prefix. */
async function askForCode(market: Market): Promise<void> {
  const form = await visit(market, '/en/register')
  const csrf = /name="csrf" value="([^"]+)"/.exec(await form.text())?.[1] ?? ''
  const body = new URLSearchParams({
    csrf,
    phone: String(7_100_000_000 + (askers += 1) * 2_000_003),
    name: 'Nobody',
    typeId: '1',
    hasConsented: 'yes',
    step: 'start',
  })
  const cookies = form.headers.getSetCookie().map((line) => line.split(';')[0])
  const headers = { Cookie: cookies.join('; '), Origin: ORIGIN, 'Sec-Fetch-Site': 'same-origin' }
  const { status } = await visit(market, '/en/register', { method: 'POST', redirect: 'manual', headers, body })
  // A refusal by the provider is a 503, but the code counts as requested.
  if (status !== 302 && status !== 503) throw new Error(`The form for a code answered ${status}.`)
}

const causes: Cause[] = [
  {
    alert: 'SandhaiPicturesFull',
    title: 'the disk of the pictures (6 GB) has 4 GB left',
    strike: async ({ disk }) => {
      const resize = (size: string) => execFileSync('mount', ['-o', `remount,size=${size}`, disk!])
      resize('4g')
      return () => void resize('6g')
    },
  },
  {
    alert: 'SandhaiFails',
    title: 'a table that pages need is renamed under the site',
    strike: async (market) => {
      const mend = await renamed(market, 'enquiries')
      const stop = whileAsking((n) => visit(market, `/en/view-requirements?q=${n}`), 2)
      return async () => Promise.all([stop(), mend()])
    },
  },
  {
    alert: 'SandhaiSlow',
    title: 'somebody holds the table of animals locked',
    strike: async (market) => lockedListings(market, 8),
  },
  {
    alert: 'SandhaiRefuses',
    title: 'the same, under a crowd',
    strike: async (market) => lockedListings(market, 80),
  },
  {
    alert: 'SandhaiLate',
    title: 'the process gets a fifth of a processor (stopped and woken in turn)',
    strike: async ({ site }) => {
      const stop = whileAsking(async () => {
        site.signal('SIGSTOP')
        await sleep(800)
        site.signal('SIGCONT')
        await sleep(150)
      }, 1)
      return stop
    },
  },
  {
    alert: 'SandhaiMessagesWait',
    title: 'the SMS provider answers 500; a message is tried again and again',
    strike: async (market) => {
      market.provider.moods.push(...Array<'server-error'>(1000).fill('server-error'))
      await onDatabase(
        market,
        `insert into outbox (channel, recipient, template, locale, body, variables) values ('sms', '+919000000001', 'ticket-opened', 'ta', 'x', '{"number":"T-1"}')`,
      )
      return () => void market.provider.moods.splice(0)
    },
  },
  {
    alert: 'SandhaiMessagesGivenUp',
    title: 'the same provider; ten people ask for a code, which is not sent later',
    strike: async (market) => {
      market.provider.moods.push(...Array<'server-error'>(1000).fill('server-error'))
      for (let n = 0; n < 10; n += 1) await askForCode(market)
      return () => void market.provider.moods.splice(0)
    },
  },
  {
    alert: 'SandhaiCodesNotUsed',
    title: 'a hundred addresses ask for codes and use none',
    strike: async (market) => {
      for (let n = 0; n < 100; n += 1) await askForCode(market)
      return () => {}
    },
  },
  {
    alert: 'SandhaiRoundLate',
    title: 'one hourly round fails from the start on (its table is renamed)',
    strike: async (market) => renamed(market, 'photo_prints'),
  },
  {
    alert: 'SandhaiDatabaseTakesNoWrites',
    title: 'PostgreSQL is killed',
    strike: async ({ postgres }) => {
      await postgres.crash()
      return () => postgres.restart()
    },
  },
  {
    alert: 'SandhaiDown',
    title: 'the process is killed',
    strike: async ({ site }) => {
      site.signal('SIGKILL')
      await site.ended
      return () => {}
    },
  },
]

async function lockedListings(market: Market, people: number): Promise<() => Promise<unknown>> {
  let isOver = false
  const lock = (async () => {
    while (!isOver) await onDatabase(market, `do $$ begin lock table listings in access exclusive mode; perform pg_sleep(1.8); end $$`)
  })()
  const stop = whileAsking((n) => visit(market, `/en/buy/0?q=goat${n}`), people)
  return () => {
    isOver = true
    return Promise.all([stop(), lock])
  }
}

/** Causes each fault once on one running site, in the order above. Returns true when every alert fired, and none before its cause. */
export async function causeAlerts(only: string[] | null): Promise<boolean> {
  const market = await openMarket()
  const prometheus = await startPrometheus(market.operatorPort)
  console.log('| alert | brought by | fired after | quiet again after |\n| --- | --- | --- | --- |')
  let isWell = true
  try {
    const chosen = causes.filter(({ alert }) => only === null || only.includes(alert))
    // It takes five minutes to fire, so it begins first.
    const early = chosen.find(({ alert }) => alert === 'SandhaiRoundLate')
    const mendEarly = await early?.strike(market)
    const began = Date.now()
    for (const cause of chosen) {
      if (cause.alert === 'SandhaiPicturesFull' && market.disk === null) {
        console.log(`| ${cause.alert} | not tried: only root may mount a small disk | | |`)
        continue
      }
      const isEarly = cause === early
      isWell =
        (await bring(market, prometheus, isEarly ? { ...cause, strike: async () => mendEarly! } : cause, isEarly ? began : null)) && isWell
    }
  } finally {
    await endAll()
    if (market.disk !== null) execFileSync('umount', ['-l', market.disk])
    await cleanUp()
    await market.provider.close()
    await market.postgres.stop()
  }
  return isWell
}

async function bring(market: Market, prometheus: string, { alert, title, strike }: Cause, since: number | null): Promise<boolean> {
  const wasFiring = (await firing(prometheus)).some(({ alertname }) => alertname === alert)
  const began = since ?? Date.now()
  const mend = await strike(market)
  const isSeen = async () => (await firing(prometheus)).some(({ alertname }) => alertname === alert)
  const fired = await until(alert, isSeen, 400_000).then(
    () => true,
    () => false,
  )
  const seconds = Math.round((Date.now() - began) / 1000)
  const labels = [...new Set((await firing(prometheus)).flatMap((one) => (one.alertname === alert && one.round ? [one.round] : [])))]
  const mended = Date.now()
  await mend()
  // An alert over a two-minute window is quiet after it; a killed process does not come back here.
  const isQuiet = await until('quiet', async () => !(await isSeen()), 30_000).then(
    () => true,
    () => false,
  )
  const quiet = isQuiet ? `${Math.round((Date.now() - mended) / 1000)} s` : 'later'
  console.log(
    `| ${alert} | ${title} | ${fired ? `${seconds} s${labels.length > 0 ? `, for ${labels.join(', ')} alone` : ''}` : '**not**'} | ${quiet} |${wasFiring ? ' it was firing before ✗' : ''}`,
  )
  return fired && !wasFiring
}

async function openMarket(): Promise<Market & { operatorPort: number }> {
  const sms = allSmsTemplates()
  const [postgres, provider, operatorPort] = [
    await startPostgres(),
    await startFakeMsg91({ authKey: 'key-of-the-rehearsal', templates: sms.templates }),
    await freePort(),
  ]
  const dataDir = tempFolder()
  const disk = process.getuid?.() === 0 ? dataDir : null
  if (disk !== null) execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=6g', 'tmpfs', disk])
  await withDatabase(postgres.url, prepare)
  const site = await startSite({
    DATABASE_URL: postgres.url,
    DATA_DIR: dataDir,
    PUBLIC_ORIGIN: ORIGIN,
    TRUSTED_PROXIES: '1',
    OPERATOR_PORT: String(operatorPort),
    LOG_LEVEL: 'warn',
    SMS_PROVIDER: 'msg91',
    MSG91_AUTH_KEY: 'key-of-the-rehearsal',
    MSG91_BASE_URL: provider.url,
    MSG91_TEMPLATES: sms.variable,
  })
  return { site, postgres, provider, disk, operatorPort }
}

/** Returns its address. */
async function startPrometheus(operatorPort: number): Promise<string> {
  const [port, folder] = [await freePort(), rehearsalFolder('prometheus')]
  writeFileSync(join(folder, 'alerts.yml'), shortened(readFileSync(join(projectRoot, 'ops/alerts.yml'), 'utf8')))
  writeFileSync(
    join(folder, 'prometheus.yml'),
    `global: { scrape_interval: 2s, evaluation_interval: 2s }
rule_files: [alerts.yml]
scrape_configs: [{ job_name: sandhai, static_configs: [{ targets: ['127.0.0.1:${operatorPort}'] }] }]
`,
  )
  launch('prometheus', null, {
    command: PROMETHEUS,
    args: [`--config.file=${folder}/prometheus.yml`, `--storage.tsdb.path=${folder}/data`, `--web.listen-address=127.0.0.1:${port}`],
  })
  const address = `http://127.0.0.1:${port}`
  await until('Prometheus', async () => (await fetch(`${address}/-/ready`)).ok)
  // Wait for the first scrape: for Prometheus, a counter that grew before it has not grown.
  await until('the first numbers', async () =>
    (await (await fetch(`${address}/api/v1/query?query=sandhai_codes_sent_total`)).text()).includes('"value"'),
  )
  await sleep(5000)
  return address
}

async function firing(prometheus: string): Promise<Record<string, string>[]> {
  const answer = (await (await fetch(`${prometheus}/api/v1/alerts`)).json()) as {
    data: { alerts: { state: string; labels: Record<string, string> }[] }
  }
  return answer.data.alerts.filter(({ state }) => state === 'firing').map(({ labels }) => labels)
}
