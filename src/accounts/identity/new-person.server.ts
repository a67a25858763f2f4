import { and, eq } from 'drizzle-orm'
import { audit } from '#src/kit/records/audit.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { newReferralCode } from '../referral-codes.server.ts'
import { consents, users } from '../tables.ts'
import { takeOverErasedPhone, wasReferredBefore } from './erased-phones.server.ts'

type Facts = Pick<typeof users.$inferInsert, 'phone' | 'name' | 'titleId' | 'typeId' | 'passwordHash' | 'panSealed' | 'degree'> & {
  locale: 'ta' | 'en'
  /** Referral code as typed; null without one. */
  referralCode: string | null
  /** Null: a page asks for it (consent.server.ts). */
  consent: { version: string; givenAt: Date } | null
}

/** Adds a person whose code was right, in the transaction that used it. Violates the unique phone when another request was faster. */
export async function addPerson(ctx: Ctx, { referralCode, consent, ...facts }: Facts): Promise<typeof users.$inferSelect> {
  const { phone, locale, typeId } = facts
  // A number whose erased account was referred counts as referred already.
  const referredById = (await wasReferredBefore(ctx, phone)) ? null : await findReferrer(ctx, referralCode)
  const [user] = await ctx.db
    .insert(users)
    .values({ ...facts, referralCode: newReferralCode(), referredById })
    .returning()
  const { id } = user!
  await takeOverErasedPhone(ctx, id, phone)
  if (consent) await ctx.db.insert(consents).values({ userId: id, purpose: 'account', locale, ...consent })
  await audit(ctx, 'user_created', `user:${id}`, { typeId })
  return user!
}

async function findReferrer(ctx: Ctx, code: string | null): Promise<number | null> {
  if (!code) return null
  const [user] = await ctx.db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.referralCode, code), users.isActive))
  return user?.id ?? null
}
