import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { compile } from '@inlang/paraglide-js'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { paraglide } from '../../scripts/paraglide-options.ts'
import { projectRoot } from '#src/kit/base/project-root.server.ts'
import { findAffected, findTelemetry, lockedPackages, readAdvisories } from '../../scripts/audit-dependencies.ts'

let folder: string
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'advisories-'))))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const osv = (name: string, of: object) => ({ id: `GHSA-${name}`, affected: [{ package: { ecosystem: 'npm', name }, ...of }] })

test('finds each locked version that an OSV advisory names, by its events or versions, and no others', () => {
  const events = (...list: object[]) => ({ ranges: [{ type: 'SEMVER', events: list }] })
  const files = {
    fixed: osv('fixed', events({ introduced: '1.0.0' }, { fixed: '1.2.10' })),
    last: osv('last', events({ introduced: '0' }, { last_affected: '2.0.0' })),
    listed: osv('listed', { versions: ['3.0.0'] }),
    python: { id: 'PYSEC-1', affected: [{ package: { ecosystem: 'PyPI', name: 'fixed' }, versions: ['1.2.10'] }] },
    withdrawn: { id: 'GHSA-none' },
  }
  for (const [name, entry] of Object.entries(files)) writeFileSync(join(folder, `${name}.json`), JSON.stringify(entry))
  const locked = [
    { name: 'fixed', version: '1.2.9' },
    { name: 'fixed', version: '1.2.10' },
    { name: 'fixed', version: '0.9.0' },
    { name: 'last', version: '2.0.0' },
    { name: 'last', version: '2.0.1' },
    { name: 'listed', version: '3.0.0' },
    { name: 'listed', version: '3.0.1' },
  ]
  expect(findAffected(locked, readAdvisories(folder))).toEqual([
    'fixed 1.2.9: GHSA-fixed',
    'last 2.0.0: GHSA-last',
    'listed 3.0.0: GHSA-listed',
  ])
})

describe('an OSV record', () => {
  const versions = ['1.0.0', '1.4.0', '2.0.0', '2.3.0', '3.0.0']
  /** The versions of `lib` that this record affects. */
  function affects(record: object): string[] {
    const own = mkdtempSync(join(folder, 'osv-'))
    writeFileSync(join(own, 'one.json'), JSON.stringify({ ...osv('lib', {}), ...record }))
    const found = findAffected(
      versions.map((version) => ({ name: 'lib', version })),
      readAdvisories(own),
    )
    return found.map((each) => each.split(/[ :]/)[1]!)
  }
  const of = (...ranges: object[]) => ({ affected: [{ package: { ecosystem: 'npm', name: 'lib' }, ranges }] })

  test('that was withdrawn counts for nothing', () => {
    const record = of({ type: 'SEMVER', events: [{ introduced: '0' }] })
    expect(affects({ ...record, withdrawn: '2024-03-18T14:22:09Z' })).toEqual([])
    // Control.
    expect(affects(record)).toEqual(versions)
  })

  test('whose range is of commits is read by its other ranges and its versions', () => {
    const commits = [{ introduced: '0' }, { fixed: '7c3c0d0e2b9a5f1d4e6a8b7c9d0e1f2a3b4c5d6e' }]
    expect(affects(of({ type: 'GIT', repo: 'https://github.com/example/lib', events: commits }))).toEqual([])
    const semver = { type: 'SEMVER', events: [{ introduced: '2.0.0' }, { fixed: '2.3.0' }] }
    expect(affects(of({ type: 'GIT', repo: 'https://github.com/example/lib', events: commits }, semver))).toEqual(['2.0.0'])
    const { affected } = of({ type: 'GIT', events: commits })
    expect(affects({ affected: [{ ...affected[0], versions: ['1.4.0'] }] })).toEqual(['1.4.0'])
  })

  test('may list its events in any order', () => {
    const events = [{ introduced: '0' }, { fixed: '1.4.0' }, { introduced: '2.0.0' }, { fixed: '3.0.0' }]
    expect(affects(of({ type: 'SEMVER', events }))).toEqual(['1.0.0', '2.0.0', '2.3.0'])
    expect(affects(of({ type: 'SEMVER', events: [...events, { limit: '9.0.0' }] }))).toEqual(['1.0.0', '2.0.0', '2.3.0'])
    const one = [{ last_affected: '2.0.0' }, { introduced: '2.0.0' }]
    expect(affects(of({ type: 'SEMVER', events: one }))).toEqual(['2.0.0'])
    const mixed = [events[3], events[2], events[1], events[0]] as object[]
    expect(affects(of({ type: 'SEMVER', events: mixed }))).toEqual(['1.0.0', '2.0.0', '2.3.0'])
    expect(affects(of({ type: 'SEMVER', events: [{ last_affected: '2.0.0' }, { introduced: '1.4.0' }] }))).toEqual(['1.4.0', '2.0.0'])
  })
})

test('finds what npm’s bulk answer names', () => {
  const file = join(folder, 'bulk.json.txt')
  writeFileSync(
    file,
    JSON.stringify({ ws: [{ id: 1, url: 'https://github.com/advisories/GHSA-1', vulnerable_versions: '>=8.0.0 <8.17.1' }] }),
  )
  const locked = ['8.17.0', '8.17.1', '7.0.0'].map((version) => ({ name: 'ws', version }))
  expect(findAffected(locked, readAdvisories(file))).toEqual(['ws 8.17.0: https://github.com/advisories/GHSA-1'])
})

test('reads every package of the lock file, also nested and scoped ones', () => {
  const locked = lockedPackages()
  expect(locked.length).toBeGreaterThan(500)
  expect(locked).toContainEqual({ name: '@hono/node-server', version: expect.stringMatching(/^2\./) })
  expect(locked.filter(({ name }) => name.includes('node_modules') || name === '')).toEqual([])
})

test('names a package whose scripts name a collector of usage data, once', () => {
  const inside = join(folder, 'node_modules/@scope/counts/dist')
  mkdirSync(inside, { recursive: true })
  for (const file of ['a.js', 'b.mjs']) writeFileSync(join(inside, file), "fetch('https://eu.posthog.com/capture')")
  writeFileSync(join(inside, 'README.md'), 'posthog.com')
  expect(findTelemetry(join(folder, 'node_modules'))).toEqual(['@scope/counts'])
})

test('the message compiler connects to nobody, although the SDK inside it names a collector', async () => {
  const hosts: unknown[] = []
  vi.spyOn(Socket.prototype, 'connect').mockImplementation(function (this: Socket, ...options: unknown[]) {
    hosts.push(options[0])
    throw new Error('no network')
  })
  const outdir = join(folder, 'messages')
  await compile({ ...paraglide, project: join(projectRoot, paraglide.project), outdir })
  // The SDK would synchronise each second while a project is open.
  await setTimeout(1500)
  expect(existsSync(join(outdir, 'messages.js'))).toBe(true)
  expect(hosts).toEqual([])
  // Control: no file of the SDK imports the function that sends, and the test sees what it would send.
  const sdk = join(projectRoot, 'node_modules/@lix-js/sdk/dist')
  const { capture } = (await import(join(sdk, 'services/telemetry/capture.js'))) as {
    capture: (event: string, of: object) => Promise<void>
  }
  await capture('test', { telemetryKeyValue: 'on', accountId: 'nobody', lixId: 'none', properties: {} })
  expect(hosts.length).toBeGreaterThan(0)
})
