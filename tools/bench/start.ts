import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import autocannon from 'autocannon'
import { projectRoot } from '#src/kit/base/project-root.server.ts'
import { startPostgres } from '#tools/test-kit/postgres-server.ts'
import { unseen } from './pages.ts'
import { median, type Section } from './result.ts'

const STARTS = 5
const IDLE_MS = 5000
const LOAD_SECONDS = 15

/** The time from spawn to the "open" line and the memory of the process, compared with a bare Hono server with pg. */
export async function startAndMemory(): Promise<Section[]> {
  const postgres = await startPostgres()
  const folders = { postgres: mkdtempSync(join(tmpdir(), 'sandhai-bench-')), embedded: mkdtempSync(join(tmpdir(), 'sandhai-bench-')) }
  const onPostgres = { DATABASE_URL: postgres.url, DATA_DIR: folders.postgres }
  const embedded = { DATA_DIR: folders.embedded }
  try {
    const first = { postgres: await secondsToOpen('server.ts', onPostgres), embedded: await secondsToOpen('server.ts', embedded) }
    const times = { postgres: [] as number[], embedded: [] as number[], bare: [] as number[] }
    for (let n = 0; n < STARTS; n++) {
      times.postgres.push(await secondsToOpen('server.ts', onPostgres))
      times.embedded.push(await secondsToOpen('server.ts', embedded))
      times.bare.push(await secondsToOpen('tools/bench/bare.ts', onPostgres))
    }
    const bare = median(times.bare)
    const beside = (seconds: number) => `${(seconds / bare).toFixed(1)}× a bare Hono server with pg (${bare.toFixed(2)} s)`
    const start: Section = {
      title: 'Start',
      explains:
        'Seconds from the start of the process to its first answer. The first start processes the sample market’s pictures. Median of five, except for the first start.',
      figures: [
        { name: 'second start, PostgreSQL', value: median(times.postgres), unit: 's', atMost: 0.8, note: beside(median(times.postgres)) },
        { name: 'second start, embedded', value: median(times.embedded), unit: 's', note: beside(median(times.embedded)) },
        { name: 'first start, PostgreSQL', value: first.postgres, unit: 's', note: beside(first.postgres) },
        { name: 'first start, embedded', value: first.embedded, unit: 's', note: beside(first.embedded) },
      ],
    }
    return [start, await memory(onPostgres, embedded)]
  } finally {
    await postgres.stop()
    for (const folder of Object.values(folders)) rmSync(folder, { recursive: true, force: true })
  }
}

async function memory(onPostgres: Record<string, string>, embedded: Record<string, string>): Promise<Section> {
  const bare = await memoryOf('tools/bench/bare.ts', onPostgres)
  const figures: Section['figures'] = []
  for (const [name, variables] of [
    ['PostgreSQL', onPostgres],
    ['embedded', embedded],
  ] as const) {
    // The embedded database is part of the process. Its memory is reported without a promise.
    const { idle, peak } = await memoryOf('server.ts', variables, ['/', '/buy/0', '/en/buy/0?q=maadu', '/product/1', '/product/2'])
    const limits = name === 'PostgreSQL' ? { idle: 150, peak: 400 } : { idle: undefined, peak: undefined }
    figures.push({
      name: `idle, ${name}`,
      value: idle,
      unit: 'MiB',
      ...(limits.idle && { atMost: limits.idle }),
      note: beside(idle, bare.idle),
    })
    figures.push({
      name: `peak under load, ${name}`,
      value: peak,
      unit: 'MiB',
      ...(limits.peak && { atMost: limits.peak }),
      note: beside(peak, bare.idle),
    })
  }
  return {
    title: 'Memory',
    explains: `Resident memory of the process: five seconds after it opened, and its maximum after ${LOAD_SECONDS} s with 20 connections.`,
    figures,
  }
}

const beside = (mebibytes: number, bare: number) =>
  `${(mebibytes / bare).toFixed(1)}× an idle bare Hono server with pg (${Math.round(bare)} MiB)`

async function secondsToOpen(program: string, variables: Record<string, string>): Promise<number> {
  const { child, seconds } = await openSite(program, variables)
  await end(child)
  return seconds
}

async function memoryOf(program: string, variables: Record<string, string>, paths: string[] = []): Promise<{ idle: number; peak: number }> {
  const { child, port } = await openSite(program, variables)
  await sleep(IDLE_MS)
  const idle = memoryNow(child, 'VmRSS')
  if (paths.length > 0) {
    let visits = 0
    await autocannon({
      url: `http://127.0.0.1:${port}`,
      connections: 20,
      duration: LOAD_SECONDS,
      // Half of the requests use URLs that are not cached.
      requests: paths.map((path) => ({
        path,
        setupRequest: (request) => ({ ...request, path: visits++ % 2 ? path : unseen(path, visits) }),
      })),
    })
  }
  const peak = memoryNow(child, 'VmHWM')
  await end(child)
  return { idle, peak }
}

/** In MiB, as the kernel counts it. */
export function memoryNow(child: ChildProcess, field: 'VmRSS' | 'VmHWM'): number {
  return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))![1]) / 1024
}

/** Starts the site or the bare server as a process. */
export async function openSite(program: string, variables: Record<string, string>) {
  const started = performance.now()
  // Like `npm start`: a small young generation keeps the process small.
  const child = spawn(process.execPath, ['--max-semi-space-size=4', program], {
    cwd: projectRoot,
    env: { PATH: process.env.PATH ?? '', PORT: '0', LOG_LEVEL: 'error', RATE_LIMIT_FACTOR: '1000', ...variables },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  for await (const chunk of child.stdout) {
    output += chunk
    if (output.includes('is open')) break
  }
  const seconds = (performance.now() - started) / 1000
  if (!output.includes('is open')) throw new Error(`${program} did not open.`)
  return { child, started, seconds, port: Number(/localhost:(\d+)/.exec(output)?.[1] ?? 0) }
}

export async function end(child: ChildProcess): Promise<void> {
  const exited = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await exited
}
