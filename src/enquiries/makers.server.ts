import { makeUser } from '#src/accounts/makers.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { rupees } from '#src/kit/time-money/money.ts'
import { placeOf } from './commands.server.ts'
import { enquiries, enquiryOffers } from './tables.ts'

/** A verified enquiry for a Kangayam bull near Kangayam, unless overridden. Returns its id. */
export async function makeEnquiry(ctx: Ctx, overrides: Partial<typeof enquiries.$inferInsert> = {}): Promise<number> {
  const posterId = overrides.posterId ?? (await makeUser(ctx)).id
  const pincode = overrides.pincode ?? '638701'
  const isVerified = overrides.isVerified === undefined ? true : overrides.isVerified
  const createdAt = overrides.createdAt ?? ctx.now
  const verifiedById = overrides.verifiedById ?? (isVerified === null ? null : (await makeUser(ctx, { typeId: 9 })).id)
  const verdict = isVerified === null ? {} : { verificationComment: 'Called.', verifiedAt: createdAt }
  const [row] = await ctx.db
    .insert(enquiries)
    .values({
      postedFor: 'Selvi',
      contact: '+919876543210',
      categoryTypeId: 1,
      categoryId: 1,
      breedId: 101,
      description: 'உழவுக்கு ஒரு காளை வேண்டும்',
      requiredCount: 1,
      acceptablePrice: rupees(80_000),
      weightKg: 0,
      pincode,
      ...(await placeOf(ctx, pincode)),
      createdAt,
      renewedAt: createdAt,
      ...verdict,
      ...overrides,
      isVerified,
      verifiedById,
      posterId,
    })
    .returning({ id: enquiries.id })
  return row!.id
}

export async function makeOffer(ctx: Ctx, enquiryId: number, listingId: number, toldAt: Date | null = null): Promise<void> {
  await ctx.db.insert(enquiryOffers).values({ enquiryId, listingId, createdAt: ctx.now, toldAt })
}
