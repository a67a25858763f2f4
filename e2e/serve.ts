import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '#tools/test-kit/postgres-server.ts'
import { pushPortFor } from './push-port.ts'
import { samplePicturesDir } from './sample-pictures.ts'

// The built site with a fresh sample market: the first argument is the database, the second the port. `office`: PostgreSQL, with the work
// of a big market.
const [database, port] = process.argv.slice(2)
const dataDir = mkdtempSync(join(tmpdir(), 'sandhai-e2e-'))
process.on('exit', () => rmSync(dataDir, { recursive: true, force: true }))

Object.assign(process.env, {
  DATA_DIR: dataDir,
  PORT: port,
  LOG_LEVEL: 'error',
  MARKET_MODE: 'demo',
  SAMPLE_PICTURES_DIR: samplePicturesDir,
  PUBLIC_ORIGIN: `http://localhost:${port}`,
  // The push service of push.spec.ts.
  PUSH_ORIGINS: `http://127.0.0.1:${pushPortFor(Number(port))}`,
})
if (database !== 'embedded') process.env.DATABASE_URL = (await startPostgres()).url
if (database === 'office')
  await (await import('../tools/bench/desk-market.ts')).fillOffice({ listings: 10_000, people: 10_000, orders: 50_000, messages: 100_000 })
await import('../server.ts')
