import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { projectRoot } from '#src/kit/base/project-root.server.ts'

const read = (name: string) => JSON.parse(readFileSync(join(projectRoot, name), 'utf8')) as Record<string, Record<string, never>>
const lock = Object.entries(
  read('package-lock.json').packages as Record<
    string,
    { version: string; integrity?: string; resolved?: string; link?: boolean; hasInstallScript?: boolean; inBundle?: boolean }
  >,
)
// The checksum of an archive also covers the packages bundled inside it.
const locked = lock.filter(([path, { inBundle }]) => path !== '' && !inBundle)
const manifest = read('package.json') as unknown as Record<
  'dependencies' | 'devDependencies' | 'optionalDependencies',
  Record<string, string>
>

/** Versions below these have known vulnerabilities. */
const atLeast: Record<string, string> = { hono: '4.13.19' }
const isAtLeast = (version: string, wanted: string) => version.localeCompare(wanted, 'en', { numeric: true }) >= 0

describe('every installed package', () => {
  test('is locked with a strong checksum', () => {
    expect(locked.length).toBeGreaterThan(100)
    expect(locked.filter(([, { integrity }]) => !/^sha512-[\w+/]{86}==$/.test(integrity ?? '')).map(([path]) => path)).toEqual([])
  })

  test('comes from the configured registry: the lock file names no host and no link', () => {
    expect(locked.filter(([, { resolved, link }]) => resolved !== undefined || link).map(([path]) => path)).toEqual([])
    expect(readFileSync(join(projectRoot, 'package-lock.json'), 'utf8')).not.toMatch(/"(git\+|file:|github:)/)
  })

  test('has an exact version in package.json', () => {
    const all = { ...manifest.dependencies, ...manifest.devDependencies, ...manifest.optionalDependencies }
    expect(Object.entries(all).filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([])
  })

  test('has the version of the lock file, and at most thirty-four direct run-time dependencies with code exist', () => {
    const direct = { ...manifest.dependencies, ...manifest.optionalDependencies }
    // The optional dependencies are Node and typst, one package per platform.
    const isFont = (name: string) => name.startsWith('@expo-google-fonts/')
    expect(Object.keys(manifest.dependencies).filter((name) => !isFont(name)).length).toBeLessThanOrEqual(34)
    const versions = Object.fromEntries(lock.map(([path, { version }]) => [path, version]))
    expect(Object.entries(direct).filter(([name, version]) => versions[`node_modules/${name}`] !== version)).toEqual([])
  })

  test('has no known vulnerability that a newer version fixes, at any depth', () => {
    for (const [name, wanted] of Object.entries(atLeast)) {
      const found = locked.filter(([path]) => path.endsWith(`node_modules/${name}`))
      expect(found.length, name).toBeGreaterThan(0)
      expect(found.filter(([, { version }]) => !isAtLeast(version, wanted)).map(([path]) => path)).toEqual([])
    }
    expect([isAtLeast('4.13.9', '4.13.19'), isAtLeast('4.13.19', '4.13.19'), isAtLeast('4.14.0', '4.13.19')]).toEqual([false, true, true])
  })
})
