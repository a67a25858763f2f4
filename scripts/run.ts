import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')

/** Runs a program of node_modules/.bin and exits with its code when it fails. */
export function run(title: string, command: string, args: string[], env: Record<string, string> = {}): void {
  const began = begin(title)
  const { status, signal } = spawnSync(join(root, 'node_modules/.bin', command), args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  })
  if (status !== 0) fail(title, status, signal)
  began.end()
}

/** Runs independent programs in parallel. Prints the output of each as a block, in this order. */
export async function runTogether(programs: [title: string, command: string, args: string[]][]): Promise<void> {
  const running = programs.map(([title, command, args]) => {
    const started = performance.now()
    const child = spawn(join(root, 'node_modules/.bin', command), args, { cwd: root })
    const output: Buffer[] = []
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => output.push(part))
    const ended = (once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>).then(([status, signal]) => ({
      status,
      signal,
      took: tookSince(started),
    }))
    return { title, output, ended }
  })
  for (const { title, output, ended } of running) {
    console.log(`\n── ${title}`)
    const { status, signal, took } = await ended
    process.stdout.write(Buffer.concat(output))
    if (status !== 0) fail(title, status, signal)
    console.log(`── ${title}: ${took}, beside the others`)
  }
}

const tookSince = (started: number) => `${((performance.now() - started) / 1000).toFixed(1)} s`

function begin(title: string) {
  const started = performance.now()
  console.log(`\n── ${title}`)
  return { end: () => console.log(`── ${title}: ${tookSince(started)}`) }
}

function fail(title: string, status: number | null, signal: NodeJS.Signals | null): never {
  console.error(`── ${title}: failed${signal ? ` (${signal})` : ''}`)
  process.exit(status ?? 1)
}
