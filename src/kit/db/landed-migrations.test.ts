import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectRoot } from '#src/kit/base/project-root.server.ts'

const folder = join(projectRoot, 'migrations')
const landed = readFileSync(join(folder, 'landed.txt'), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => line.split(' ') as [hash: string, name: string])
const hashOf = (name: string) =>
  createHash('sha256')
    .update(readFileSync(join(folder, name)))
    .digest('hex')

test('no landed migration is edited or removed, because databases that ran it would refuse to start', () => {
  expect(landed.length).toBeGreaterThan(28)
  expect(landed.filter(([hash, name]) => hashOf(name) !== hash).map(([, name]) => name)).toEqual([])
})

/** Several branches may each have new migrations at the same time. */
const ON_THEIR_WAY = 5

test('landed.txt lists every migration except the newest few', () => {
  const files = readdirSync(folder).filter((name) => /^\d{4}_.*\.sql$/.test(name))
  const names = new Set(landed.map(([, name]) => name))
  expect(files.slice(0, -ON_THEIR_WAY).filter((name) => !names.has(name))).toEqual([])
})
