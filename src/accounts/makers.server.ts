import { firstRow } from '#src/kit/db/rows.server.ts'
import { randomInt } from 'node:crypto'
import { eq } from 'drizzle-orm'
import type { Ctx, Viewer } from '#src/kit/context.ts'
import { newReferralCode } from './referral-codes.server.ts'
import { internalTypeOf } from './rules.ts'
import { ACCOUNT_CONSENT_VERSION } from './schemas.ts'
import { hashOfToken, newSessionToken } from './sessions.server.ts'
import { consents, sessions, users } from './tables.ts'

/** Makers insert valid people and things for the sample market, tests and journeys. */
export async function makeUser(
  ctx: Ctx,
  overrides: Partial<typeof users.$inferInsert> = {},
): Promise<Viewer & { phone: string; isVerified: boolean }> {
  const [user] = await ctx.db
    .insert(users)
    .values({
      phone: `+917${randomInt(1e8, 1e9)}`,
      name: 'Selvi',
      typeId: 1,
      titleId: 1,
      // An invalid hash: nobody can log in with it.
      passwordHash: '-',
      referralCode: newReferralCode(),
      ...overrides,
    })
    .returning()
  await ctx.db
    .insert(consents)
    .values({ userId: user!.id, purpose: 'account', version: ACCOUNT_CONSENT_VERSION, locale: 'ta', givenAt: ctx.now })
  const { id, name, typeId, vetApproved, superAdmin, phone, isVerified } = user!
  return { id, name, typeId, vetApproved, superAdmin, hasPowers: internalTypeOf(user!) > 0, phone, isVerified }
}

/** Returns the token for the cookie. */
export async function makeSession(ctx: Ctx, userId: number): Promise<string> {
  const user = firstRow(await ctx.db.select({ typeId: users.typeId }).from(users).where(eq(users.id, userId)))
  const token = newSessionToken(ctx.vault, user.typeId)
  await ctx.db.insert(sessions).values({ tokenHash: hashOfToken(token), userId, expiresAt: new Date(ctx.now.getTime() + 30 * 86_400_000) })
  return token
}
