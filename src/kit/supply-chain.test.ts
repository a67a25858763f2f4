import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { projectRoot } from './project-root.server.ts'

const read = (name: string) => JSON.parse(readFileSync(join(projectRoot, name), 'utf8')) as Record<string, Record<string, never>>
const lock = Object.entries(
  read('package-lock.json').packages as Record<
    string,
    { version: string; integrity?: string; resolved?: string; link?: boolean; hasInstallScript?: boolean; inBundle?: boolean }
  >,
)
// A package bundled inside another one's archive is covered by that one's checksum.
const locked = lock.filter(([path, { inBundle }]) => path !== '' && !inBundle)
const manifest = read('package.json') as unknown as Record<
  'dependencies' | 'devDependencies' | 'optionalDependencies',
  Record<string, string>
>

/** Installed versions below these have holes that we know of. */
const atLeast: Record<string, string> = { hono: '4.13.19' }
const isAtLeast = (version: string, wanted: string) => version.localeCompare(wanted, 'en', { numeric: true }) >= 0

describe('what we install', () => {
  test('is locked with a strong checksum, every package of it', () => {
    expect(locked.length).toBeGreaterThan(100)
    expect(locked.filter(([, { integrity }]) => !/^sha512-[\w+/]{86}==$/.test(integrity ?? '')).map(([path]) => path)).toEqual([])
  })

  test('comes from the registry one has configured: no host is written down, no link leads elsewhere', () => {
    expect(locked.filter(([, { resolved, link }]) => resolved !== undefined || link).map(([path]) => path)).toEqual([])
    expect(readFileSync(join(projectRoot, 'package-lock.json'), 'utf8')).not.toMatch(/"(git\+|file:|github:)/)
  })

  test('is named by exact versions', () => {
    const all = { ...manifest.dependencies, ...manifest.devDependencies, ...manifest.optionalDependencies }
    expect(Object.entries(all).filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([])
  })

  test('is what the lock says, and no more than forty-two packages of our own choosing at run time', () => {
    const direct = { ...manifest.dependencies, ...manifest.optionalDependencies }
    // The optional ones are Node and typst, of which each platform takes its own.
    expect(Object.keys(manifest.dependencies).length).toBeLessThanOrEqual(42)
    const versions = Object.fromEntries(lock.map(([path, { version }]) => [path, version]))
    expect(Object.entries(direct).filter(([name, version]) => versions[`node_modules/${name}`] !== version)).toEqual([])
  })

  test('has no known hole that a newer version closes, however deep it lies', () => {
    for (const [name, wanted] of Object.entries(atLeast)) {
      const found = locked.filter(([path]) => path.endsWith(`node_modules/${name}`))
      expect(found.length, name).toBeGreaterThan(0)
      expect(found.filter(([, { version }]) => !isAtLeast(version, wanted)).map(([path]) => path)).toEqual([])
    }
    expect([isAtLeast('4.13.9', '4.13.19'), isAtLeast('4.13.19', '4.13.19'), isAtLeast('4.14.0', '4.13.19')]).toEqual([false, true, true])
  })
})
