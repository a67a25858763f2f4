import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')

/** Runs a program of node_modules/.bin and ends with its exit code when it fails. */
export function run(title: string, command: string, args: string[], env: Record<string, string> = {}): void {
  const started = performance.now()
  console.log(`\n── ${title}`)
  const { status, signal } = spawnSync(join(root, 'node_modules/.bin', command), args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  })
  if (status !== 0) {
    console.error(`── ${title}: failed${signal ? ` (${signal})` : ''}`)
    process.exit(status ?? 1)
  }
  console.log(`── ${title}: ${((performance.now() - started) / 1000).toFixed(1)} s`)
}
