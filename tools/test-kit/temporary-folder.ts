import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

/** Returns a folder that is removed after the file's tests. Call it at the top of the file, so that it goes after what uses it. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sandhai-test-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
