import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Compiles the library that moves a process's wall clock by MOVED_CLOCK seconds when LD_PRELOAD names it. Returns its path, and deletes it when this
 * process ends; null when there is no C compiler.
 */
export function movedClock(): string | null {
  const folder = mkdtempSync(join(tmpdir(), 'sandhai-clock-'))
  // PostgreSQL reads it as another account.
  chmodSync(folder, 0o755)
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  const library = join(folder, 'moved-clock.so')
  const source = join(import.meta.dirname, 'moved-clock.c')
  return spawnSync('cc', ['-shared', '-fPIC', '-O2', '-o', library, source], { stdio: 'inherit' }).status === 0 ? library : null
}
