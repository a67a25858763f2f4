import { randomInt } from 'node:crypto'
import { and, count, eq, gt, inArray, isNotNull, isNull, lt, notExists, sql } from 'drizzle-orm'
import type { Ctx } from '#src/kit/context.ts'
import type { Db } from '#src/kit/db/db.ts'
import { ownerCodes, ownerConsents, ownerRefusals, owners } from '../tables.ts'

/** Owners for whom agents list, by phone number and by code. */
export type Owner = typeof owners.$inferSelect

/** Lower case, because paths match in any letter case; without letters that are easily confused. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789'
const CODE_LETTERS = 10
const CODE = new RegExp(`^[${LETTERS}]{${CODE_LETTERS}}$`)
/** Lifetime of a code; after that the owner requests a new SMS by their number. */
const CODE_DAYS = 180

/** By phone number; also finds rows from before a change of PEPPER. */
export async function findOwner(ctx: Ctx, phone: string): Promise<Owner | null> {
  const [owner] = await ctx.db
    .select()
    .from(owners)
    .where(inArray(owners.phoneMac, ctx.vault.macs('owner-phone', phone)))
  return owner ?? null
}

/** Call it in a transaction: finds or creates the owner with this number and locks the row, so that SMS to them are counted one by one. */
export async function holdOwner(ctx: Ctx, phone: string): Promise<Owner> {
  if (!(await findOwner(ctx, phone)))
    await ctx.db
      .insert(owners)
      .values({ phoneSealed: ctx.vault.seal('owner-phone', phone), phoneMac: ctx.vault.mac('owner-phone', phone), createdAt: ctx.now })
      .onConflictDoNothing()
  const [owner] = await ctx.db
    .select()
    .from(owners)
    .where(inArray(owners.phoneMac, ctx.vault.macs('owner-phone', phone)))
    .for('no key update')
  return owner!
}

export const phoneOf = (ctx: Ctx, { phoneSealed }: Pick<Owner, 'phoneSealed'>): string => ctx.vault.open('owner-phone', phoneSealed)

/** A code as people copy it from an SMS; null when it cannot be one. */
export function readCode(typed: string): string | null {
  const code = typed.toLowerCase().replace(/[\s-]/g, '')
  return CODE.test(code) ? code : null
}

/** Null for an unknown or expired code. 31 to the power of 10 codes cannot be guessed; tries are still limited per IP address. */
export async function findOwnerByCode(ctx: Ctx, typed: string): Promise<Owner | null> {
  const code = readCode(typed)
  if (code === null) return null
  const [found] = await ctx.db
    .select({ owner: owners })
    .from(ownerCodes)
    .innerJoin(owners, eq(owners.id, ownerCodes.ownerId))
    .where(
      and(
        inArray(ownerCodes.codeHash, ctx.vault.macs('owner-code', code)),
        gt(ownerCodes.createdAt, sql`now() - make_interval(days => ${CODE_DAYS})`),
      ),
    )
  return found?.owner ?? null
}

/** SMS per day to one number that agents cause; the page of the first one shows everything. */
const BY_AGENTS = 3
/** SMS per day to one number that requests by number cause. */
const BY_NUMBER = 2
/** SMS per day that one agent causes. */
export const BY_ONE_AGENT = 15
/** SMS of the whole market: a fifth of the limit of one-time codes (kit/db/rate-limits.server.ts). */
const ALL_HOUR = 60
const ALL_DAY = 400

/**
 * A new code for an SMS to this owner, whose row the caller has locked; null when the limit of the owner, the agent or the market is
 * reached. Counts the codes in the act's transaction, so a refused act counts none.
 */
export async function makeCode(ctx: Ctx, ownerId: number, agentId: number | null): Promise<string | null> {
  const since = (hours: number) => gt(ownerCodes.createdAt, sql`now() - make_interval(hours => ${hours})`)
  const countCodes = async (...which: Parameters<typeof and>) => {
    const [row] = await ctx.db
      .select({ n: count() })
      .from(ownerCodes)
      .where(and(...which))
    return row!.n
  }
  const ofKind = agentId === null ? isNull(ownerCodes.agentId) : isNotNull(ownerCodes.agentId)
  if ((await countCodes(since(24), eq(ownerCodes.ownerId, ownerId), ofKind)) >= (agentId === null ? BY_NUMBER : BY_AGENTS)) return null
  if (agentId !== null && (await countCodes(since(24), eq(ownerCodes.agentId, agentId))) >= BY_ONE_AGENT) return null
  if ((await countCodes(since(24))) >= ALL_DAY || (await countCodes(since(1))) >= ALL_HOUR) {
    ctx.log.error({ limit: 'owner-sms' }, 'SMS to owners: the budget of the market is used up')
    return null
  }
  const code = Array.from({ length: CODE_LETTERS }, () => LETTERS[randomInt(LETTERS.length)]).join('')
  await ctx.db.insert(ownerCodes).values({ codeHash: ctx.vault.mac('owner-code', code), ownerId, agentId })
  return code
}

export async function wantsNothingFrom(ctx: Ctx, ownerId: number, agentId: number): Promise<boolean> {
  return (await ctx.db.$count(ownerRefusals, and(eq(ownerRefusals.ownerId, ownerId), eq(ownerRefusals.agentId, agentId)))) > 0
}

/** Deletes old answers, and owners without any data left. A refusal of an agent for good stays. */
export async function sweepOwners(db: Db): Promise<void> {
  const longAgo = sql`now() - make_interval(days => ${CODE_DAYS})`
  await db.delete(ownerCodes).where(lt(ownerCodes.createdAt, longAgo))
  await db
    .delete(ownerConsents)
    .where(and(inArray(ownerConsents.state, ['refused', 'pulled', 'silent', 'taken']), lt(ownerConsents.answeredAt, longAgo)))
  const of = eq(ownerConsents.ownerId, owners.id)
  await db.delete(owners).where(
    and(
      lt(owners.createdAt, longAgo),
      notExists(
        db
          .select({ one: sql`1` })
          .from(ownerConsents)
          .where(of),
      ),
      notExists(
        db
          .select({ one: sql`1` })
          .from(ownerRefusals)
          .where(eq(ownerRefusals.ownerId, owners.id)),
      ),
    ),
  )
}
