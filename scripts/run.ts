import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { reasonOf, type TestRun } from './test-results.ts'

const root = join(import.meta.dirname, '..')

export type Program = [title: string, command: string, args: string[]]

/** Runs a program of node_modules/.bin. Returns its exit code; 1 when a signal ended it. */
export function run(title: string, command: string, args: string[], env: Record<string, string> = {}): number {
  const started = performance.now()
  console.log(`\n── ${title}`)
  const { status, signal } = spawnSync(join(root, 'node_modules/.bin', command), args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  })
  console.log(`── ${title}: ${tookSince(started)}${status === 0 ? '' : `, failed${signal ? ` (${signal})` : ''}`}`)
  return status ?? 1
}

/** Runs independent programs in parallel. Prints the output of each as a block, in this order. Each program is one result. */
export async function runTogether(programs: Program[]): Promise<TestRun[]> {
  const running = programs.map(([title, command, args]) => {
    const started = performance.now()
    const child = spawn(join(root, 'node_modules/.bin', command), args, { cwd: root })
    const output: Buffer[] = []
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => output.push(part))
    const ended = (once(child, 'close') as Promise<[number | null]>).then(([status]) => ({ status, took: tookSince(started) }))
    return { title, output, ended }
  })
  const results: TestRun[] = []
  for (const { title, output, ended } of running) {
    console.log(`\n── ${title}`)
    const { status, took } = await ended
    const text = Buffer.concat(output).toString()
    process.stdout.write(text)
    const hasPassed = status === 0
    console.log(`── ${title}: ${took}, beside the others${hasPassed ? '' : ', failed'}`)
    results.push({ file: 'check', title, ...(hasPassed ? { state: 'passed' } : { state: 'failed', reason: reasonOf(text) }) })
  }
  return results
}

const tookSince = (started: number) => `${((performance.now() - started) / 1000).toFixed(1)} s`
