import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { projectRoot } from '#src/kit/base/project-root.server.ts'
import { clockVariables } from './clock-variables.ts'

/** The built site as a process of its own, started like in production: `node server.ts`. */
export interface SiteProcess {
  origin: string
  pid: number
  /** Milliseconds from spawn until it reported to be open. */
  readyAfterMs: number
  out(): string[]
  err(): string[]
  signal(name: NodeJS.Signals): void
  /** Resolves when the process has exited. */
  ended: Promise<Ending>
}

interface Ending {
  code: number | null
  signal: NodeJS.Signals | null
  afterMs: number
  out: string[]
  err: string[]
}

type Variables = Record<string, string>

/** Each running process with the promise of its exit. Listens from the start, because `once(child, 'exit')` never resolves after the event. */
const running = new Map<ChildProcess, Promise<unknown>>()
const folders: string[] = []
process.on('exit', killAll)

/** Ends every process that a test left running. */
export async function endAll(): Promise<void> {
  killAll()
  await Promise.all(running.values())
}

/** The same, and removes the test's folders. */
export async function cleanUp(): Promise<void> {
  await endAll()
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
}

function killAll(): void {
  for (const child of running.keys()) child.kill('SIGKILL')
}

/** A temporary folder of the test; with `template`, a copy of that folder. */
export function tempFolder(template?: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'sandhai-operation-'))
  folders.push(folder)
  if (template) cpSync(template, folder, { recursive: true })
  return folder
}

/** Starts the site without waiting: for starts that should fail or be killed. */
export function launchSite(variables: Variables, { program = 'server.ts', args = [] as string[], folder = projectRoot } = {}) {
  const started = performance.now()
  const chunks = { out: '', err: '' }
  const child = spawn(process.execPath, [program, ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', PORT: '0', ...clockVariables, ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const gone = once(child, 'exit').then(() => running.delete(child))
  running.set(child, gone)
  child.stdout.setEncoding('utf8').on('data', (text: string) => (chunks.out += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (chunks.err += text))
  const lines = (text: string) => text.split('\n').filter((line) => line !== '')
  const out = () => lines(chunks.out)
  const err = () => lines(chunks.err)
  const ended = once(child, 'close').then(([code, signal]): Ending => ({
    code: code as number | null,
    signal: signal as NodeJS.Signals | null,
    afterMs: performance.now() - started,
    out: out(),
    err: err(),
  }))
  return { child, started, out, err, ended }
}

/** Resolves when the site is open; throws its output when it ends instead. */
export async function startSite(variables: Variables, how: { folder?: string } = {}): Promise<SiteProcess> {
  const { child, started, out, err, ended } = launchSite(variables, how)
  let isOver = false
  void ended.then(() => (isOver = true))
  for (;;) {
    const origin = out()
      .join('\n')
      .match(/is open at http:\/\/localhost:(\d+)/)
    if (origin) {
      const readyAfterMs = performance.now() - started
      const signal = (name: NodeJS.Signals) => void child.kill(name)
      return { origin: `http://127.0.0.1:${origin[1]}`, pid: child.pid!, readyAfterMs, out, err, signal, ended }
    }
    if (isOver) throw new Error(`The site did not start:\n${[...out(), ...err()].join('\n')}`)
    await sleep(5)
  }
}
