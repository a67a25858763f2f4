import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { signedHeaders } from '#src/kit/media/bucket.server.ts'
import { freePort, launch, pathOf, rehearsalFolder, until, type Running } from './programs.ts'

export interface Store {
  url: string
  keyId: string
  secret: string
  stop(): void
  start(): Promise<void>
}

const KINDS = ['account', 'container', 'object'] as const
const [ACCOUNT, USER, SECRET] = ['rehearsal', 'market', 'marketsecret']

/** OpenStack Swift with its S3 API: one disk, one copy. */
export async function startStore(): Promise<Store> {
  const etc = rehearsalFolder('swift')
  const devices = rehearsalFolder('swift/node')
  rehearsalFolder('swift/node/d1')
  writeFileSync(
    join(etc, 'swift.conf'),
    '[swift-hash]\nswift_hash_path_suffix = rehearsal\n[storage-policy:0]\nname = one\ndefault = yes\n',
  )
  const [port, cache] = [await freePort(), await freePort()]
  const common = (bind: number, pipeline: string) => `[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${bind}
user = ${process.getuid?.() === 0 ? 'root' : process.env.USER}
swift_dir = ${etc}
workers = 0
devices = ${devices}
mount_check = false
disable_fallocate = true
log_address = ${etc}/nolog
[pipeline:main]
pipeline = ${pipeline}
`
  for (const kind of KINDS) {
    const bind = await freePort()
    const ring = (...args: string[]) => execFileSync(pathOf('ring'), [join(etc, `${kind}.builder`), ...args], { stdio: 'ignore' })
    ring('create', '4', '1', '0')
    ring('add', `r1z1-127.0.0.1:${bind}/d1`, '1')
    ring('rebalance')
    const file = join(etc, `${kind}.conf`)
    writeFileSync(file, `${common(bind, `${kind}-server`)}[app:${kind}-server]\nuse = egg:swift#${kind}\nrecon_cache_path = ${etc}\n`)
    launch(`swift-${kind}`, `swift-${kind}`, { args: [file, '-v'] })
  }
  const asRoot = process.getuid?.() === 0 ? ['-u', 'root'] : []
  launch('memcached', 'memcached', { args: ['-l', '127.0.0.1', '-p', String(cache), '-m', '16', ...asRoot] })
  const file = join(etc, 'proxy.conf')
  const filters = ['catch_errors', 'listing_formats', 'bulk', 's3api', 'copy', 'slo', 'dlo'].map(
    (name) => `[filter:${name}]\nuse = egg:swift#${name}\n`,
  )
  writeFileSync(
    file,
    `${common(port, 'catch_errors cache listing_formats bulk s3api tempauth copy slo dlo proxy-server')}[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:${cache}
[filter:tempauth]
use = egg:swift#tempauth
user_${ACCOUNT}_${USER} = ${SECRET} .admin
${filters.join('')}`,
  )
  const address = { url: `http://127.0.0.1:${port}/market`, keyId: `${ACCOUNT}:${USER}`, secret: SECRET! }
  let running: Running
  const start = async () => {
    running = launch('swift-proxy', 'swift-proxy', { args: [file, '-v'] })
    await until('the object store', async () => [200, 409].includes((await makeBucket(address)).status))
  }
  await start()
  return { ...address, start, stop: () => running.kill() }
}

async function makeBucket({ url, keyId, secret }: { url: string; keyId: string; secret: string }): Promise<Response> {
  const address = { url, keyId, secret, region: 'us-east-1' }
  const headers = await signedHeaders(address, { method: 'PUT', url: new URL(url), headers: {}, bytes: new Uint8Array() })
  return fetch(url, { method: 'PUT', headers, signal: AbortSignal.timeout(3000) })
}
