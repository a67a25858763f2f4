import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { projectRoot } from '../kit/project-root.server.ts'

/** The built site as its own process: `node server.ts`, the way it runs for people. */
export interface SiteProcess {
  origin: string
  pid: number
  /** From spawn until it said that it is open. */
  readyAfterMs: number
  out(): string[]
  err(): string[]
  signal(name: NodeJS.Signals): void
  /** Resolves when it is gone. */
  ended: Promise<Ending>
}

export interface Ending {
  code: number | null
  signal: NodeJS.Signals | null
  afterMs: number
  out: string[]
  err: string[]
}

type Variables = Record<string, string>

const running = new Set<ChildProcess>()
const folders: string[] = []
process.on('exit', killAll)

/** Ends whatever a test left running. */
export async function endAll(): Promise<void> {
  const gone = [...running].map((child) => once(child, 'exit'))
  killAll()
  await Promise.all(gone)
}

/** The same, and removes the test's folders. */
export async function cleanUp(): Promise<void> {
  await endAll()
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
}

function killAll(): void {
  for (const child of running) child.kill('SIGKILL')
}

/** A folder that goes away with the test; with `template`, a copy of that one. */
export function tempFolder(template?: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'sandhai-operation-'))
  folders.push(folder)
  if (template) cpSync(template, folder, { recursive: true })
  return folder
}

/** Starts it and leaves it alone: for starts that are meant to fail or to be killed. */
export function launchSite(variables: Variables, { program = 'server.ts', args = [] as string[], folder = projectRoot } = {}) {
  const started = performance.now()
  const chunks = { out: '', err: '' }
  const child = spawn(process.execPath, [program, ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', PORT: '0', ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  child.stdout.setEncoding('utf8').on('data', (text: string) => (chunks.out += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (chunks.err += text))
  const lines = (text: string) => text.split('\n').filter((line) => line !== '')
  const out = () => lines(chunks.out)
  const err = () => lines(chunks.err)
  const ended = once(child, 'close').then(([code, signal]): Ending => {
    running.delete(child)
    return {
      code: code as number | null,
      signal: signal as NodeJS.Signals | null,
      afterMs: performance.now() - started,
      out: out(),
      err: err(),
    }
  })
  return { child, started, out, err, ended }
}

/** Resolves when the site is open; throws with what it printed when it ends instead. */
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
