import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { drizzle } from 'drizzle-orm/pglite'
import type { TestProject } from 'vitest/node'
import { migrate } from '#src/kit/db/migrate.server.ts'
import { extensions } from '#src/kit/db/database.server.ts'
import type { Db } from '#src/kit/db/db.ts'
import { loadReferenceData } from '#src/market/load-reference.server.ts'

/** Makes one migrated database with the reference data and keeps its dump. Each test file starts from a copy. */
export default async function setup(project: TestProject): Promise<() => void> {
  const client = await PGlite.create({ dataDir: 'memory://', extensions })
  const db = drizzle(client) as unknown as Db
  await migrate(db, 'embedded')
  await loadReferenceData(db)
  // Each copy unpacks everything and replays the log since the last checkpoint. Without the spare databases and with a checkpoint, it opens in half
  // the time.
  for (const spare of ['template0', 'template1']) {
    await client.exec(`alter database ${spare} is_template false`)
    await client.exec(`drop database ${spare}`)
  }
  await client.exec('select pg_switch_wal()')
  await client.exec('checkpoint')
  const dir = mkdtempSync(join(tmpdir(), 'sandhai-test-'))
  const file = join(dir, 'template.tar')
  writeFileSync(file, Buffer.from(await (await client.dumpDataDir('none')).arrayBuffer()))
  await client.close()
  project.provide('embeddedTemplate', file)
  return () => rmSync(dir, { recursive: true, force: true })
}
