import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { projectRoot } from '#src/kit/base/project-root.server.ts'
import { freePort, launch, rehearsalFolder, until, type Running } from './programs.ts'

export interface Node {
  name: string
  port: number
  restPort: number
  running: Running
  file: string
}

export interface Cluster {
  nodes: Node[]
  leader(): Promise<Node>
  /** The standby without which the leader acknowledges no commit. */
  synchronousStandby(): Promise<Node>
  restart(node: Node): void
  switchOver(from: Node): Promise<void>
  /** Waits until one of the three nodes leads and another follows synchronously. */
  untilWhole(): Promise<void>
}

interface Member {
  name: string
  role: string
  state: string
}

/** Three PostgreSQL 15 under Patroni, with etcd for the leader election. An order is acknowledged when a standby has it, too. */
export async function startCluster(): Promise<Cluster> {
  const etcd = await startEtcd()
  const nodes: Node[] = []
  for (const name of ['node1', 'node2', 'node3']) nodes.push(await startNode(name, etcd))
  const members = async (): Promise<Member[]> => {
    for (const { restPort } of nodes) {
      const answer = await ask(restPort, '/cluster').catch(() => null)
      if (answer) return ((await answer.json()) as { members: Member[] }).members
    }
    return []
  }
  const roleOf = async (role: string): Promise<Node> => {
    let found: Node | undefined
    await until(`a ${role}`, async () => {
      const member = (await members()).find((each) => each.role === role && ['running', 'streaming'].includes(each.state))
      found = nodes.find(({ name }) => name === member?.name)
      return found !== undefined
    })
    return found!
  }
  return {
    nodes,
    leader: () => roleOf('leader'),
    synchronousStandby: () => roleOf('sync_standby'),
    restart: (node) => {
      node.running = launchNode(node)
    },
    switchOver: async (from) => {
      const { name } = await roleOf('sync_standby')
      const body = JSON.stringify({ leader: from.name, candidate: name })
      const answer = await fetch(`http://127.0.0.1:${from.restPort}/switchover`, { method: 'POST', body })
      if (!answer.ok) throw new Error(`The switch-over was refused: ${answer.status} ${await answer.text()}`)
    },
    untilWhole: () =>
      until(
        'three whole nodes',
        async () => {
          const leader = (await members()).find(({ role }) => role === 'leader')
          const node = nodes.find(({ name }) => name === leader?.name)
          const streams = node ? await rowsAt<{ sync: string }>(node.port, STREAMS, [], 'postgres') : []
          return streams.length === 2 && streams.some(({ sync }) => sync === 'sync')
        },
        120_000,
      ),
  }
}

/** The standbys that follow the leader, and the one that it waits for. */
const STREAMS = `select sync_state as sync from pg_stat_replication where state = 'streaming' and application_name like 'node%'`

const ask = (port: number, path: string) => fetch(`http://127.0.0.1:${port}${path}`, { signal: AbortSignal.timeout(1000) })

async function startEtcd(): Promise<number> {
  const [client, peer] = [await freePort(), await freePort()]
  const urls = { client: `http://127.0.0.1:${client}`, peer: `http://127.0.0.1:${peer}` }
  const settings: Record<string, string> = {
    'data-dir': rehearsalFolder('etcd'),
    'listen-client-urls': urls.client,
    'advertise-client-urls': urls.client,
    'listen-peer-urls': urls.peer,
    'initial-advertise-peer-urls': urls.peer,
    'initial-cluster': `default=${urls.peer}`,
    // Patroni's other driver, etcd3, took the lock from the new leader when a frozen one woke up (docs/rehearsals.md).
    'enable-v2': 'true',
    'heartbeat-interval': '200',
    'election-timeout': '2000',
  }
  launch('etcd', 'etcd', { args: Object.entries(settings).map(([name, value]) => `--${name}=${value}`) })
  await until('etcd', async () => (await ask(client, '/health')).ok)
  return client
}

async function startNode(name: string, etcd: number): Promise<Node> {
  const [port, restPort] = [await freePort(), await freePort()]
  const folder = rehearsalFolder(name)
  const file = join(rehearsalFolder('etc'), `${name}.yml`)
  writeFileSync(file, patroniFile({ name, port, restPort, etcd, folder }))
  const node = { name, port, restPort, file }
  return { ...node, running: launchNode(node) }
}

const launchNode = ({ name, file }: Pick<Node, 'name' | 'file'>) =>
  launch(name, 'patroni', { args: [file], isUnprivileged: true, env: { PYTHONUNBUFFERED: '1' }, others: () => postmasterOf(name) })

/** Patroni detaches the server that it starts, so find it by its pid file. */
function postmasterOf(name: string): number[] {
  const file = join(rehearsalFolder(name), 'data/postmaster.pid')
  const pid = existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : 0
  // The pid file of a killed server may name an unrelated process by now.
  const isOurs =
    pid > 0 && existsSync(`/proc/${pid}/cmdline`) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(rehearsalFolder(name))
  return isOurs ? [pid] : []
}

interface NodeFacts {
  name: string
  port: number
  restPort: number
  etcd: number
  folder: string
}

/** ops/patroni.yml with the addresses of this machine, and no passwords on the loopback interface. */
function patroniFile({ name, port, restPort, etcd, folder }: NodeFacts): string {
  const changes: [string | RegExp, string][] = [
    ['name: node1', `name: ${name}`],
    [/10\.0\.0\.1:8008/g, `127.0.0.1:${restPort}`],
    [/hosts: \[.*\]/, `host: 127.0.0.1:${etcd}`],
    [/10\.0\.0\.1:5432/g, `127.0.0.1:${port}`],
    ['local all all peer', 'local all all trust'],
    ['host all all 10.0.0.0/24 scram-sha-256', 'host all all 127.0.0.1/32 trust'],
    ['host replication replicator 10.0.0.0/24 scram-sha-256', 'host replication all 127.0.0.1/32 trust'],
    ['/var/lib/postgresql/15/sandhai', `${folder}/data`],
    ['/var/lib/postgresql/.pgpass-patroni', `${folder}/pgpass`],
    ['/var/run/postgresql', folder],
  ]
  return changes.reduce(
    (file, [ours, here]) => {
      const changed = file.replace(ours, here)
      if (changed === file) throw new Error(`ops/patroni.yml no longer has ${ours}.`)
      return changed
    },
    readFileSync(join(projectRoot, 'ops/patroni.yml'), 'utf8'),
  )
}

/** Returns the rows of a statement from the server at that port. */
export async function rowsAt<T>(port: number, statement: string, values: unknown[] = [], database = 'sandhai'): Promise<T[]> {
  const client = new pg.Client({ host: '127.0.0.1', port, user: 'postgres', database, connectionTimeoutMillis: 3000 })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(statement, values)).rows as T[]
  } finally {
    await client.end().catch(() => {})
  }
}
