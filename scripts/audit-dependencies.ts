import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import semver from 'semver'

/** `npm run audit:dependencies -- [advisories]` checks the lock file, lists the direct dependencies, and writes an SBOM. */

const root = join(import.meta.dirname, '..')
const run = promisify(execFile)
/** A package without a release for this long counts as abandoned. */
const ABANDONED_DAYS = 730
const AT_ONCE = 4

export interface Locked {
  name: string
  version: string
}
interface Advisory {
  id: string
  name: string
  isAffected(version: string): boolean
}

interface OsvEvent {
  introduced?: string
  fixed?: string
  last_affected?: string
}
interface OsvEntry {
  id: string
  /** The time at which its authors took it back. */
  withdrawn?: string
  affected?: {
    package?: { ecosystem: string; name: string }
    versions?: string[]
    ranges?: { type: string; events: OsvEvent[] }[]
  }[]
}
type Bulk = Record<string, { id: number | string; url?: string; vulnerable_versions: string }[]>

/** A folder of OSV files (one advisory each), or one file with npm's bulk answer. */
export function readAdvisories(path: string): Advisory[] {
  const read = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as unknown
  if (!statSync(path).isDirectory()) return bulkAdvisories(read(path) as Bulk)
  return readdirSync(path)
    .filter((file) => file.endsWith('.json'))
    .flatMap((file) => osvAdvisories(read(join(path, file)) as OsvEntry))
}

const bulkAdvisories = (bulk: Bulk): Advisory[] =>
  Object.entries(bulk).flatMap(([name, entries]) =>
    entries.map(({ id, url, vulnerable_versions: range }) => ({
      id: url ?? String(id),
      name,
      isAffected: (version: string) => semver.satisfies(version, range, { includePrerelease: true }),
    })),
  )

/** The events of a GIT range are commits, which no version can be compared with; `versions` lists the versions that they concern. */
const osvAdvisories = ({ id, withdrawn, affected = [] }: OsvEntry): Advisory[] =>
  affected
    .filter((each) => withdrawn === undefined && each.package?.ecosystem === 'npm')
    .map(({ package: of, versions = [], ranges = [] }) => ({
      id,
      name: of!.name,
      isAffected: (version) => versions.includes(version) || ranges.some(({ type, events }) => type !== 'GIT' && isWithin(version, events)),
    }))

const versionOf = ({ introduced, fixed, last_affected: last }: OsvEvent) => {
  const version = introduced ?? fixed ?? last!
  return version === '0' ? '0.0.0-0' : version
}

/** OSV: the last event before the version decides. A file may list them in any order, and `limit` says nothing about a version. */
function isWithin(version: string, events: OsvEvent[]): boolean {
  let isIn = false
  const known = events.filter(({ introduced, fixed, last_affected: last }) => introduced ?? fixed ?? last)
  const rank = ({ introduced }: OsvEvent) => (introduced === undefined ? 1 : 0)
  for (const event of known.toSorted((a, b) => semver.compare(versionOf(a), versionOf(b)) || rank(a) - rank(b))) {
    if (event.introduced !== undefined && semver.gte(version, versionOf(event))) isIn = true
    if (event.fixed !== undefined && semver.gte(version, event.fixed)) isIn = false
    if (event.last_affected !== undefined && semver.gt(version, event.last_affected)) isIn = false
  }
  return isIn
}

export const findAffected = (locked: Locked[], advisories: Advisory[]): string[] =>
  locked.flatMap(({ name, version }) =>
    advisories.filter((advisory) => advisory.name === name && advisory.isAffected(version)).map(({ id }) => `${name} ${version}: ${id}`),
  )

interface LockEntry {
  name?: string
  version?: string
  license?: string
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

const readLock = () =>
  Object.entries((JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: Record<string, LockEntry> }).packages)

export const lockedPackages = (): Locked[] =>
  readLock().flatMap(([path, { name, version }]) =>
    path && version ? [{ name: name ?? path.slice(path.lastIndexOf('node_modules/') + 13), version }] : [],
  )

/** Known addresses of collectors of usage data. */
const COLLECTORS = /posthog\.com|segment\.io|sentry\.io\/|google-analytics\.com|mixpanel\.com|amplitude\.com/

/** The installed packages whose scripts name a collector of usage data. */
export function findTelemetry(folder = join(root, 'node_modules')): string[] {
  const found = new Set<string>()
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.[cm]?js$/.test(entry.name)) continue
    if (!COLLECTORS.test(readFileSync(join(entry.parentPath, entry.name), 'utf8'))) continue
    const inside = entry.parentPath.slice(entry.parentPath.lastIndexOf('node_modules/') + 13).split('/')
    found.add(inside.slice(0, inside[0]!.startsWith('@') ? 2 : 1).join('/'))
  }
  return [...found].toSorted()
}

const days = (from: string) => Math.floor((Date.now() - Date.parse(from)) / 86_400_000)

/** Licence, age of our version and of the newest release, and whether the package is deprecated, by the registry's own client. */
async function describe(name: string, version: string, license: string): Promise<string> {
  const seen = await run('npm', ['view', name, 'time', 'deprecated', '--json'], { cwd: root, maxBuffer: 2 ** 26 }).catch(() => null)
  if (!seen) return `${name} ${version} · ${license} · the registry does not answer`
  const answer = JSON.parse(seen.stdout) as { time?: Record<string, string>; deprecated?: string } & Record<string, string>
  const time: Record<string, string> = answer.time ?? answer
  const releases = Object.entries(time).flatMap(([of, at]) => (semver.valid(of) ? [at] : []))
  const newest = releases.length > 0 ? Math.min(...releases.map(days)) : Infinity
  const ours = time[version] ? `${days(time[version])} days old` : 'of unknown age'
  const flags = [answer.deprecated ? 'DEPRECATED' : '', newest > ABANDONED_DAYS ? 'ABANDONED' : ''].filter(Boolean)
  return [`${name} ${version}`, license, ours, `newest release ${newest} days ago`, ...flags].join(' · ')
}

async function describeAll(): Promise<string[]> {
  const lock = new Map(readLock())
  const { dependencies, devDependencies, optionalDependencies } = lock.get('')!
  const direct = Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies })
  const rows: string[] = []
  for (let at = 0; at < direct.length; at += AT_ONCE) {
    const some = direct.slice(at, at + AT_ONCE).map((name) => {
      const { version = '', license = 'no licence named' } = lock.get(`node_modules/${name}`) ?? {}
      return describe(name, version, license)
    })
    rows.push(...(await Promise.all(some)))
  }
  return rows
}

if (process.argv[1] === import.meta.filename) {
  const [advisories] = process.argv.slice(2)
  const sbom = await run('npm', ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'], { cwd: root, maxBuffer: 2 ** 26 })
  writeFileSync(join(root, 'sbom.cdx.json'), sbom.stdout)
  console.log('The SBOM is in sbom.cdx.json.')
  for (const row of await describeAll()) console.log(row)
  console.log(`Packages that name a collector of usage data: ${findTelemetry().join(', ') || 'none'}`)
  const affected = advisories ? findAffected(lockedPackages(), readAdvisories(advisories)) : []
  console.log(advisories ? `Known vulnerabilities: ${affected.length}` : 'No advisories were given, so vulnerabilities were not checked.')
  for (const each of affected) console.log(`  ${each}`)
  if (affected.length > 0) process.exitCode = 1
}
