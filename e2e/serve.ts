import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '../src/kit/testing/postgres-server.ts'

// The built site with a fresh sample market, on the database named first, at the port named second.
const [database, port] = process.argv.slice(2)
const dataDir = mkdtempSync(join(tmpdir(), 'sandhai-e2e-'))
// Both sites show the same pictures: the first one makes them, by the same rules as these.
const rules = createHash('sha256')
  .update(readFileSync('src/kit/pictures.server.ts'))
  .update(readFileSync('package-lock.json'))
  .digest('hex')
process.on('exit', () => rmSync(dataDir, { recursive: true, force: true }))

Object.assign(process.env, {
  DATA_DIR: dataDir,
  PORT: port,
  LOG_LEVEL: 'error',
  MARKET_MODE: 'demo',
  SAMPLE_PICTURES_DIR: join('node_modules/.cache/sandhai-pictures', rules.slice(0, 16)),
  PUBLIC_ORIGIN: `http://localhost:${port}`,
})
if (database === 'postgres') process.env.DATABASE_URL = (await startPostgres()).url
await import('../server.ts')
