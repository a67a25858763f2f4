import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The checkout's top folder. This module runs from `src/kit/` in tests and scripts and from `build/server/` once bundled. */
export const projectRoot = findProjectRoot(import.meta.dirname)

function findProjectRoot(from: string): string {
  if (existsSync(join(from, 'package.json')) && existsSync(join(from, 'migrations'))) return from
  const parent = dirname(from)
  if (parent === from) throw new Error('The project folder (package.json and migrations/) was not found.')
  return findProjectRoot(parent)
}
