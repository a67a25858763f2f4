import { globSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { run } from './run.ts'

// `npm run db:generate -- --name what_changed`: writes the migration for what changed in the tables. The tables import messages, so these are compiled
// first. Only the last snapshot is needed to find the next change, so the others are deleted.
const root = join(import.meta.dirname, '..')
const steps: [title: string, command: string, args: string[]][] = [
  ['route types and messages', 'react-router', ['typegen']],
  ['migration', 'drizzle-kit', ['generate', ...process.argv.slice(2)]],
]
if (steps.every((step) => run(...step) === 0)) {
  const snapshots = globSync('migrations/meta/*_snapshot.json', { cwd: root }).sort()
  for (const older of snapshots.slice(0, -1)) rmSync(join(root, older))
} else {
  process.exitCode = 1
}
