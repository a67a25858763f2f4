import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '../src/kit/testing/postgres-server.ts'
import { pushPortFor } from './push-port.ts'
import { samplePicturesDir } from './sample-pictures.ts'

// The built site with a fresh sample market, on the database named first, at the port named second.
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
  // Where push.spec.ts takes messages for its browser.
  PUSH_ORIGINS: `http://127.0.0.1:${pushPortFor(Number(port))}`,
})
if (database === 'postgres') process.env.DATABASE_URL = (await startPostgres()).url
await import('../server.ts')
