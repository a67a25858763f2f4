import type { Ctx } from '../context.ts'
import type { Db } from '#src/kit/db/database.server.ts'
import { openLog } from '../log.server.ts'
import { openVault } from '../vault.server.ts'

/** What the test markets seal with. */
export const testVault = openVault('p'.repeat(32))

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
