import type { Ctx } from '../context.ts'
import type { Db } from '#src/kit/db/database.server.ts'
import { openLog } from '../log.server.ts'
import { openVault } from '../vault.server.ts'

/**
 * What the test markets seal with. Its passwords cost as little as argon2id allows: hashed as a live market does it, they are a tenth of all
 * that the tests compute. What a live market's cost is asked by passwords.test.ts.
 */
export const testVault = openVault('p'.repeat(32), { memory: 8, passes: 1, parallelism: 1 })

/** Nobody, asking in English now. */
export function testCtx(db: Db, changes: Partial<Ctx> = {}): Ctx {
  return {
    db,
    viewer: null,
    sessionId: null,
    locale: 'en',
    now: new Date(),
    requestId: 'test',
    log: openLog('silent'),
    browserId: null,
    publicOrigin: 'https://sandhai.test',
    vault: testVault,
    ...changes,
  }
}
