import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { requireBuild } from '../../scripts/build.ts'
import { leftOut } from './debian-programs.ts'
import { prepare, withEmbedded } from './prepared.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A DATA_DIR with a ready embedded database, to be copied. */
    preparedDataDir: string
  }
}

export default async function setup(project: TestProject): Promise<() => void> {
  requireBuild()
  for (const line of leftOut()) console.log(line)
  const dir = mkdtempSync(join(tmpdir(), 'sandhai-prepared-'))
  await withEmbedded(dir, prepare)
  project.provide('preparedDataDir', dir)
  return () => rmSync(dir, { recursive: true, force: true })
}
