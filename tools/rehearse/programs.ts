import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { chmodSync, chownSync, closeSync, existsSync, mkdirSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** The programs of the rehearsal, each with its Debian package. */
const programs = {
  patroni: ['/usr/bin/patroni', 'patroni'],
  etcd: ['/usr/bin/etcd', 'etcd-server'],
  haproxy: ['/usr/sbin/haproxy', 'haproxy'],
  pgbouncer: ['/usr/sbin/pgbouncer', 'pgbouncer'],
  postgres: ['/usr/lib/postgresql/15/bin/postgres', 'postgresql-15'],
  openssl: ['/usr/bin/openssl', 'openssl'],
  memcached: ['/usr/bin/memcached', 'memcached'],
  ring: ['/usr/bin/swift-ring-builder', 'python3-swift'],
  'swift-proxy': ['/usr/bin/swift-proxy-server', 'swift-proxy'],
  'swift-account': ['/usr/bin/swift-account-server', 'swift-account'],
  'swift-container': ['/usr/bin/swift-container-server', 'swift-container'],
  'swift-object': ['/usr/bin/swift-object-server', 'swift-object'],
} as const
export type Program = keyof typeof programs

export const pathOf = (program: Program): string => programs[program][0]

export const missingPackages = (): string[] => Object.values(programs).flatMap(([path, name]) => (existsSync(path) ? [] : [name]))

/** PostgreSQL and PgBouncer refuse to run as root, so root starts them as `postgres`, a user of Debian's package. */
const account = () => {
  if (process.getuid?.() !== 0) return null
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres']))
  return { uid: id('-u'), gid: id('-g') }
}

export interface Running {
  child: ChildProcess
  /** Kills it and all its descendants at once. */
  kill(): void
  /** Freezes it with all its descendants, like an unreachable machine. */
  freeze(): void
  thaw(): void
}

const all = new Set<Running>()
let root = ''
process.on('exit', endAll)

/** The folder of all files; it is removed at the end. */
export function rehearsalFolder(name = ''): string {
  if (root === '') {
    root = mkdtempSync(join(tmpdir(), 'sandhai-rehearsal-'))
    chmodSync(root, 0o755)
  }
  const folder = join(root, name)
  mkdirSync(folder, { recursive: true })
  const owner = account()
  if (owner && name !== '') chownSync(folder, owner.uid, owner.gid)
  return folder
}

export function endAll(): void {
  for (const each of all) each.kill()
  if (root !== '' && !process.env.REHEARSAL_KEEP) rmSync(root, { recursive: true, force: true })
}

interface Launch {
  args: string[]
  env?: Record<string, string>
  /** Do not run as root. */
  isUnprivileged?: boolean
  /** Processes that belong to it but are not its children. */
  others?: () => number[]
  /** Another program than `programs[key]`; the key then only names the log. */
  command?: string
}

/** Its output goes to `logs/<name>.log`. */
export function launch(
  name: string,
  program: Program | null,
  { args, env = {}, isUnprivileged = false, command, others = () => [] }: Launch,
): Running {
  const log = openSync(join(rehearsalFolder('logs'), `${name}.log`), 'a')
  const child = spawn(command ?? pathOf(program!), args, {
    stdio: ['ignore', log, log],
    detached: true,
    env: { PATH: `/usr/lib/postgresql/15/bin:${process.env.PATH}`, LANG: 'C.UTF-8', ...env },
    ...(isUnprivileged && account()),
  })
  closeSync(log)
  const each = (signal: NodeJS.Signals) => {
    // Signal parents first, so that none of them starts a new child.
    for (const pid of familyOf([child.pid!, ...others()])) tryKill(pid, signal)
  }
  const running: Running = {
    child,
    kill: () => {
      all.delete(running)
      each('SIGKILL')
    },
    freeze: () => each('SIGSTOP'),
    thaw: () => each('SIGCONT'),
  }
  all.add(running)
  return running
}

function tryKill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has already ended.
  }
}

/** Processes with all their descendants, in any process group or session. */
function familyOf(roots: number[]): number[] {
  const children = new Map<number, number[]>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const parent = parentOf(Number(name))
    if (parent !== null) children.set(parent, [...(children.get(parent) ?? []), Number(name)])
  }
  const family = [...roots]
  for (const each of family) family.push(...(children.get(each) ?? []))
  return family
}

function parentOf(pid: number): number | null {
  try {
    return Number(
      readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) \S+ /s, '')
        .split(' ')[0],
    )
  } catch {
    return null
  }
}

const taken = new Set<number>()
export async function freePort(): Promise<number> {
  for (;;) {
    const server = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as AddressInfo
    await new Promise((resolve) => server.close(resolve))
    if (taken.has(port)) continue
    taken.add(port)
    return port
  }
}

export async function until(what: string, isSo: () => Promise<boolean> | boolean, atMostMs = 60_000): Promise<void> {
  for (const end = Date.now() + atMostMs; Date.now() < end; await sleep(100)) {
    if (await Promise.resolve(isSo()).catch(() => false)) return
  }
  throw new Error(`Timed out: ${what}. The logs are in ${rehearsalFolder('logs')} (REHEARSAL_KEEP=1 keeps them).`)
}
