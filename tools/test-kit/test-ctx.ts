import type { Ctx } from '#src/kit/context.ts'
import type { Db } from '#src/kit/db/db.ts'
import { openLog } from '#src/kit/base/log.server.ts'
import { openVault } from '#src/kit/vault.server.ts'

/**
 * The vault of test markets. Its password hashes cost as little as argon2id allows; at production cost they would take a tenth of all test time.
 * passwords.test.ts checks the production cost.
 */
export const testVault = openVault('p'.repeat(32), { memory: 8, passes: 1, parallelism: 1 })

/** A ctx of an anonymous visitor, in English, with the current time. */
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
