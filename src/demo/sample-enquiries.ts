import { z } from 'zod'
import type { Ctx } from '../kit/context.ts'
import { daysBefore } from '#src/kit/time-money/dates.ts'
import { rupees } from '#src/kit/time-money/money.ts'
import { makeEnquiry, makeOffer } from '../enquiries/makers.server.ts'
import enquiries from './sample-enquiries.json' with { type: 'json' }
import { samplePeople } from './sample-people.ts'

// The sample market's enquiries, in every state that a page must show.

const sampleEnquiry = z.strictObject({
  /** The key of a sample person. */
  by: z.string(),
  type: z.int(),
  category: z.int().optional(),
  breed: z.int().optional(),
  age: z.int().optional(),
  gender: z.int().optional(),
  color: z.int().optional(),
  count: z.int(),
  upToRupees: z.int(),
  weightKg: z.number().optional(),
  pincode: z.string(),
  words: z.string(),
  daysAgo: z.int(),
  /** An admin's verdict; missing while it is pending. */
  verdict: z.strictObject({ passed: z.boolean(), comment: z.string() }).optional(),
  closedDaysAgo: z.int().optional(),
  /** Keys of the listings in sellers' answers. */
  offers: z.array(z.string()).optional(),
})

export const sampleEnquiries = z.array(sampleEnquiry).parse(enquiries)

/** Both maps are by sample key. */
export async function addSampleEnquiries(ctx: Ctx, people: Map<string, number>, listings: Map<string, number>): Promise<void> {
  const admin = people.get(samplePeople.find((person) => person.typeId === 9)!.key)!
  for (const sample of sampleEnquiries) {
    const poster = samplePeople.find((person) => person.key === sample.by)!
    const createdAt = daysBefore(ctx.now, sample.daysAgo)
    const { verdict } = sample
    const id = await makeEnquiry(ctx, {
      posterId: people.get(sample.by)!,
      postedFor: poster.name,
      contact: poster.phone,
      categoryTypeId: sample.type,
      categoryId: sample.category ?? null,
      breedId: sample.breed ?? null,
      ageId: sample.age ?? null,
      genderId: sample.gender ?? null,
      colorId: sample.color ?? null,
      description: sample.words,
      requiredCount: sample.count,
      acceptablePrice: rupees(sample.upToRupees),
      weightKg: sample.weightKg ?? 0,
      pincode: sample.pincode,
      createdAt,
      isVerified: verdict?.passed ?? null,
      ...(verdict && { verifiedById: admin, verificationComment: verdict.comment, verifiedAt: createdAt }),
      ...(sample.closedDaysAgo !== undefined && {
        closedAt: daysBefore(ctx.now, sample.closedDaysAgo),
        closedById: people.get(sample.by)!,
      }),
    })
    for (const key of sample.offers ?? []) await makeOffer(ctx, id, listings.get(key)!, createdAt)
  }
}
