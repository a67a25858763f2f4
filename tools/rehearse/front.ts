import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Node } from './database.ts'
import { freePort, launch, pathOf, rehearsalFolder, until, type Running } from './programs.ts'

export interface Front {
  /** The public port, with TLS. */
  port: number
  /** Always the leader, without PgBouncer. */
  leaderPort: number
  poolerPort: number
  sites: Site[]
  /** Kills and starts the pooler, like a machine after a power failure. */
  restartPooler(): Promise<void>
}

export interface Site {
  port: number
  running: Running
  restart(): void
}

/** Starts HAProxy before the leader and PgBouncer before that; later HAProxy with TLS before the site's processes. */
export async function startFront(nodes: Node[], sites: number): Promise<Front> {
  const [port, leaderPort, poolerPort] = [await freePort(), await freePort(), await freePort()]
  const sitePorts: number[] = []
  for (let n = 0; n < sites; n += 1) sitePorts.push(await freePort())
  const file = join(rehearsalFolder('etc'), 'haproxy.cfg')
  writeFileSync(file, haproxyFile({ port, leaderPort, nodes, sitePorts, certificate: makeCertificate() }))
  execFileSync(pathOf('haproxy'), ['-c', '-q', '-f', file])
  launch('haproxy', 'haproxy', { args: ['-db', '-f', file] })
  const pooler = join(rehearsalFolder('pooler'), 'pgbouncer.ini')
  writeFileSync(join(rehearsalFolder('pooler'), 'users'), '"postgres" ""\n')
  writeFileSync(pooler, poolerFile(leaderPort, poolerPort))
  const launchPooler = () => launch('pgbouncer', 'pgbouncer', { args: [pooler], isUnprivileged: true })
  let running = launchPooler()
  return {
    port,
    leaderPort,
    poolerPort,
    sites: sitePorts.map((sitePort) => ({ port: sitePort }) as Site),
    restartPooler: async () => {
      running.kill()
      await until('the pooler is gone', () => running.child.exitCode !== null || running.child.signalCode !== null)
      running = launchPooler()
    },
  }
}

/** The connect_query and the time-outs that operators get (ops/pgbouncer.ini), for the leader of this cluster. */
function poolerFile(leaderPort: number, port: number): string {
  const ours = readFileSync(new URL('../../ops/pgbouncer.ini', import.meta.url), 'utf8')
  const query = /connect_query='[^']*'/.exec(ours)![0]
  const kept = ours.split('\n').filter((line) => /^(pool_mode|default_pool_size|max_client_conn|server_|query_wait|tcp_user)/.test(line))
  return `[databases]
sandhai = host=127.0.0.1 port=${leaderPort} dbname=sandhai user=postgres ${query}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${join(rehearsalFolder('pooler'), 'users')}
${kept.join('\n')}
`
}

function makeCertificate(): string {
  const folder = rehearsalFolder('etc')
  const [key, cert, both] = ['key.pem', 'cert.pem', 'both.pem'].map((name) => join(folder, name)) as [string, string, string]
  const about = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1', '-days', '2']
  execFileSync(pathOf('openssl'), ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', cert, ...about], {
    stdio: 'ignore',
  })
  writeFileSync(both, readFileSync(cert, 'utf8') + readFileSync(key, 'utf8'))
  return both
}

interface FrontFacts {
  port: number
  leaderPort: number
  nodes: Node[]
  sitePorts: number[]
  certificate: string
}

/** ops/haproxy.cfg with the addresses of this machine, so that the rehearsal runs what operators get. */
function haproxyFile({ port, leaderPort, nodes, sitePorts, certificate }: FrontFacts): string {
  const servers = {
    NODES: nodes.map((node) => `    server ${node.name} 127.0.0.1:${node.port} check port ${node.restPort}`),
    SITES: sitePorts.map((each, n) => `    server site${n} 127.0.0.1:${each} check`),
  }
  return readFileSync(new URL('../../ops/haproxy.cfg', import.meta.url), 'utf8')
    .replace('bind :443 ssl crt /etc/haproxy/sandhai.pem', `bind 127.0.0.1:${port} ssl crt ${certificate}`)
    .replace(/bind :80\n.*\n/, `bind 127.0.0.1:${port + 1 > 65_535 ? port - 1 : port + 1}\n    http-request redirect scheme https\n`)
    .replace('maxconn 20000', 'maxconn 2000')
    .replace('bind 127.0.0.1:5000', `bind 127.0.0.1:${leaderPort}`)
    .replaceAll(/( {4}server site\d .*\n)+/g, `${servers.SITES.join('\n')}\n`)
    .replaceAll(/( {4}server node\d .*\n)+/g, `${servers.NODES.join('\n')}\n`)
}

export async function startSites(front: Front, variables: Record<string, string>): Promise<void> {
  for (const [n, site] of front.sites.entries()) {
    const launchSite = () =>
      launch(`site${n}`, null, {
        command: process.execPath,
        args: ['--max-semi-space-size=4', new URL('../../server.ts', import.meta.url).pathname],
        env: { ...variables, PORT: String(site.port), NODE_ENV: 'production' },
      })
    site.running = launchSite()
    site.restart = () => {
      site.running = launchSite()
    }
    await until(`site ${n}`, async () => (await fetch(`http://127.0.0.1:${site.port}/readyz`)).ok, 120_000)
  }
}
