import { randomInt } from 'node:crypto'
import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import type { Ctx } from '#src/kit/context.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { recoveryCodes } from '../tables.ts'

const CODES = 10
/** Few tries are possible (totp.server.ts), so ten digits are enough; digits, because the field opens the numeric keyboard. */
export const RECOVERY_DIGITS = 10

/** Creates new codes, shown once; older ones become invalid. */
export async function makeRecoveryCodes(ctx: Ctx, userId: number): Promise<string[]> {
  const codes = Array.from({ length: CODES }, () => String(randomInt(10 ** RECOVERY_DIGITS)).padStart(RECOVERY_DIGITS, '0'))
  await inTransaction(ctx, async ({ db }) => {
    await db.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId))
    await db.insert(recoveryCodes).values(codes.map((code) => ({ userId, mac: macsOf(ctx, userId, code)[0]! })))
  })
  return codes
}

/** Call it in the transaction of the act. True once for each code. */
export async function consumeRecoveryCode(ctx: Ctx, userId: number, code: string): Promise<boolean> {
  const used = await ctx.db
    .update(recoveryCodes)
    .set({ usedAt: sql`now()` })
    .where(and(eq(recoveryCodes.userId, userId), inArray(recoveryCodes.mac, macsOf(ctx, userId, code)), isNull(recoveryCodes.usedAt)))
    .returning({ userId: recoveryCodes.userId })
  return used.length > 0
}

/** The first is for new rows; the others are from before a change of PEPPER. */
const macsOf = (ctx: Ctx, userId: number, code: string) => ctx.vault.macs('recovery-code', String(userId), code)
