import { eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { oneRowOf } from '#src/kit/db/rows.server.ts'
import { loadedData } from '#src/accounts/tables.ts'
import type { Db } from '#src/kit/db/db.ts'
import { EnvError, type Env } from '#src/kit/base/env.server.ts'

const MODE = 'market-mode'

/** The mark of a complete sample market (demo/seed.server.ts). */
export const SAMPLE_MARKET = 'sample-market'

/**
 * A live market never opens a demo's database, whose passwords are public, and a demo never fills a live one with sample people. The first
 * start stores the mode; databases of older releases are recognized by their content. Throws EnvError on a mismatch.
 */
export async function ensureModeFits(db: Db, mode: Env['mode']): Promise<void> {
  const known = await readMark(db, MODE)
  const found = await look(db)
  if (mode === 'live' && (known === 'demo' || found.sample)) {
    throw new EnvError([`DATABASE_URL: this database holds a demo (${found.sample ?? 'its mark'}). MARKET_MODE live needs one of its own.`])
  }
  if (mode === 'demo' && (known === 'live' || (known === null && !found.sample && found.people))) {
    throw new EnvError(['DATABASE_URL: this database belongs to a live market. MARKET_MODE demo would fill it with sample people.'])
  }
  if (known === null) await keepMark(db, MODE, mode)
}

async function readMark(db: Db, name: string): Promise<string | null> {
  const [row] = await db.select({ hash: loadedData.hash }).from(loadedData).where(eq(loadedData.name, name))
  return row?.hash ?? null
}

/** Returns the stored value: another process may have been first. */
export async function keepMark(db: Db, name: string, value: string): Promise<string> {
  await db.insert(loadedData).values({ name, hash: value, rows: 1 }).onConflictDoNothing()
  return (await readMark(db, name))!
}

const lookRow = z.object({ sample: z.string().nullable(), people: z.boolean() })

/** `sample`: a text that names the first trace of a sample market. A sample order is recognized by its people, because orders are never deleted. */
async function look(db: Db): Promise<{ sample: string | null; people: boolean }> {
  return oneRowOf(
    { db },
    sql`
    select case
        when exists (select 1 from loaded_data where name = ${SAMPLE_MARKET}) then 'its mark'
        when exists (select 1 from users where is_sample) then 'sample people'
        when exists (select 1 from listings where is_sample) then 'sample listings'
      end as sample, exists (select 1 from users) as people`,
    lookRow,
  )
}
