import { eq, inArray, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { Ctx } from '#src/kit/context.ts'
import { erasedPhones, users } from '#src/accounts/tables.ts'

/**
 * Remembers the one-time benefits of a number after its owner has erased the account (decisions.md §7.5): a keyed hash of the number, for
 * two years (retention.server.ts). The counts of codes use the same hash (otp-limits.server.ts).
 */
interface Had {
  firstOrder?: boolean
  referral?: boolean
  wasReferred?: boolean
}

/** The first is how it is stored from now on; the others, how it was before PEPPER was changed. */
const hashesOf = ({ vault }: Pick<Ctx, 'vault'>, phone: string): Buffer[] => vault.macs('erased-phone', phone)

/** Runs in the transaction of the erasure, while the person still has the number; called by each domain with a one-time benefit. */
export async function noteErasedPhone(ctx: Ctx, userId: number, had: Had): Promise<void> {
  const [user] = await ctx.db.select({ phone: users.phone }).from(users).where(eq(users.id, userId))
  const { firstOrder: hadFirstOrder = false, referral: hadReferral = false, wasReferred = false } = had
  const or = (column: AnyPgColumn, value: boolean) => sql`${column} or ${value}`
  const [phoneHash, ...older] = hashesOf(ctx, user!.phone) as [Buffer, ...Buffer[]]
  // Here the number is known once more: its row is found by today's hash from now on.
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

/** Runs in the transaction of the registration: whether a referral of this number was paid before. */
export async function wasReferredBefore(ctx: Ctx, phone: string): Promise<boolean> {
  const [row] = await ctx.db
    .select({ wasReferred: erasedPhones.wasReferred })
    .from(erasedPhones)
    .where(inArray(erasedPhones.phoneHash, hashesOf(ctx, phone)))
  return row?.wasReferred ?? false
}

/** Assigns the number's former benefits to its new owner. */
export async function takeOverErasedPhone(ctx: Ctx, userId: number, phone: string): Promise<void> {
  await ctx.db
    .update(erasedPhones)
    .set({ userId })
    .where(inArray(erasedPhones.phoneHash, hashesOf(ctx, phone)))
}
