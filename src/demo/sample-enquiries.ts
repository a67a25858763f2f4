import type { Ctx } from '../kit/context.ts'
import { daysBefore } from '#src/kit/time-money/dates.ts'
import { rupees } from '#src/kit/time-money/money.ts'
import { makeEnquiry, makeOffer } from '../enquiries/makers.server.ts'
import { samplePeople } from './sample-people.ts'

// The sample market's enquiries, in every state that a page must show.

interface SampleEnquiry {
  /** The key of a sample person. */
  by: string
  type: number
  category?: number
  breed?: number
  age?: number
  gender?: number
  color?: number
  count: number
  upToRupees: number
  weightKg?: number
  pincode: string
  words: string
  daysAgo: number
  /** An admin's verdict; missing while it is pending. */
  verdict?: { passed: boolean; comment: string }
  closedDaysAgo?: number
  /** Keys of the listings in sellers' answers. */
  offers?: string[]
}

const checked = { passed: true, comment: 'போனில் பேசினோம்; உண்மையான தேவை.' }

export const sampleEnquiries: SampleEnquiry[] = [
  { by: 'kavitha', type: 1, category: 1, breed: 101, gender: 0, count: 1, upToRupees: 80_000, pincode: '638001', daysAgo: 2,
    words: 'வீட்டுக்குப் பால் தர ஒரு காங்கேயம் பசு வேண்டும். குழந்தைகள் உள்ள வீடு, சாதுவாக இருக்க வேண்டும்.', verdict: checked,
    offers: ['kangayam-cow', 'umblachery-cow', 'country-cow'] },
  { by: 'ravi', type: 1, category: 2, breed: 203, gender: 1, age: 4, count: 5, upToRupees: 9_000, weightKg: 15, pincode: '636001', daysAgo: 4,
    words: 'ஆடிக் கொடைக்கு ஐந்து சேலம் கருப்புக் கிடா வேண்டும். நோய் இல்லாதது, தடுப்பூசி போட்டது.', verdict: checked, offers: ['salem-black'] },
  { by: 'deepa', type: 1, category: 1, gender: 0, count: 2, upToRupees: 65_000, pincode: '641001', daysAgo: 6,
    words: 'Two crossbred milkers for a small dairy, second or third lactation, at least ten litres a day. We come to see a milking.',
    verdict: checked },
  { by: 'suresh', type: 4, category: 22, count: 10, upToRupees: 2_500, weightKg: 100, pincode: '625001', daysAgo: 9,
    words: 'மழைக்காலத்துக்கு வைக்கோல் பத்து கட்டு வேண்டும். வண்டி நாங்கள் கொண்டு வருகிறோம்.', verdict: checked },
  { by: 'karthik', type: 2, category: 5, breed: 501, age: 2, count: 1, upToRupees: 0, pincode: '624001', daysAgo: 16,
    words: 'தோட்டக் காவலுக்கு ராஜபாளையம் குட்டி ஒன்று. நல்ல வீட்டில் வளரும்.', verdict: checked },
  { by: 'mary', type: 1, category: 4, count: 10, upToRupees: 450, pincode: '600001', daysAgo: 25,
    words: 'Ten country hens that lay, for a backyard.', verdict: checked, closedDaysAgo: 5 },
  { by: 'ibrahim', type: 1, category: 3, count: 3, upToRupees: 0, pincode: '620001', daysAgo: 1,
    words: 'செம்மறி மூன்று வேண்டும், இனம் எதுவானாலும் சரி.' },
  { by: 'kavitha', type: 3, category: 14, count: 1, upToRupees: 15_000, pincode: '638001', daysAgo: 0,
    words: 'பழைய தீவனம் வெட்டும் இயந்திரம், ஓடும் நிலையில் இருந்தால் போதும்.' },
  { by: 'kavitha', type: 1, category: 6, count: 0, upToRupees: 0, pincode: '638001', daysAgo: 20, words: 'குதிரை வேண்டும்',
    verdict: { passed: false, comment: 'எதற்காக, எவ்வளவு விலையில் என்று எழுதி மீண்டும் பதிவிடுங்கள்.' } },
] // oxfmt-ignore

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
