import { firstRow } from '#src/kit/db/rows.server.ts'
import { eq, inArray, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { Ctx } from '#src/kit/context.ts'
import { erasedPhones, users } from '../tables.ts'

/**
 * Remembers the used one-time benefits of a phone number whose account was erased (decisions.md §7.5), under a keyed hash of the number,
 * for two years (retention.server.ts). Counters of codes use the same hash (otp-limits.server.ts).
 */
interface UsedBenefits {
  firstOrder?: boolean
  referral?: boolean
  wasReferred?: boolean
}

/** The first hash is for new rows; the others are from before a change of PEPPER. */
const hashesOf = ({ vault }: Pick<Ctx, 'vault'>, phone: string): Buffer[] => vault.macs('erased-phone', phone)

/** Call it in the erasure's transaction, while the person still has the number; each domain with a one-time benefit does. */
export async function noteErasedPhone(ctx: Ctx, userId: number, used: UsedBenefits): Promise<void> {
  const user = firstRow(await ctx.db.select({ phone: users.phone }).from(users).where(eq(users.id, userId)))
  const { firstOrder: hadFirstOrder = false, referral: hadReferral = false, wasReferred = false } = used
  const or = (column: AnyPgColumn, value: boolean) => sql`${column} or ${value}`
  const [phoneHash, ...older] = hashesOf(ctx, user.phone) as [Buffer, ...Buffer[]]
  // The number is known here, so store the row under the current hash.
  if (older.length > 0) await ctx.db.update(erasedPhones).set({ phoneHash }).where(inArray(erasedPhones.phoneHash, older))
  await ctx.db
    .insert(erasedPhones)
    .values({ phoneHash, erasedAt: ctx.now, hadFirstOrder, hadReferral, wasReferred })
    .onConflictDoUpdate({
      target: erasedPhones.phoneHash,
      set: {
        erasedAt: ctx.now,
        hadFirstOrder: or(erasedPhones.hadFirstOrder, hadFirstOrder),
        hadReferral: or(erasedPhones.hadReferral, hadReferral),
        wasReferred: or(erasedPhones.wasReferred, wasReferred),
      },
    })
}

/** Call it in the transaction of the registration: whether a referral of this number was paid before. */
export async function wasReferredBefore(ctx: Ctx, phone: string): Promise<boolean> {
  const [row] = await ctx.db
    .select({ wasReferred: erasedPhones.wasReferred })
    .from(erasedPhones)
    .where(inArray(erasedPhones.phoneHash, hashesOf(ctx, phone)))
  return row?.wasReferred ?? false
}

/** Assigns the number's used benefits to its new owner. */
export async function takeOverErasedPhone(ctx: Ctx, userId: number, phone: string): Promise<void> {
  await ctx.db
    .update(erasedPhones)
    .set({ userId })
    .where(inArray(erasedPhones.phoneHash, hashesOf(ctx, phone)))
}
