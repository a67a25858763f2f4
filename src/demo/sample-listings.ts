import { z } from 'zod'
import { fieldTable, type Facts } from '#src/listings/fields/field-table.ts'
import listings from './sample-listings.json' with { type: 'json' }

const finding = z.enum(['good', 'watch', 'bad']).optional()
const vetFindings = z.strictObject({
  temperatureC: z.number().optional(),
  bodyCondition: z.number().optional(),
  teeth: finding,
  udder: finding,
  gait: finding,
  skin: finding,
})
/** A feed or a tool has no breed, age, sex and colour. */
const idOfAnimal = z.int().nullable().default(null)

/**
 * The animals, feeds and tools of the sample market, each as its keeper would describe it. Ids are those of the reference data: a breed is its
 * category times 100 plus its row, gender 0 is female.
 */
const described = z.object({
  key: z.string(),
  /** The number of its pictures in demo/pictures/. */
  pictures: z.literal([1, 2, 3]),
  /** Shows the pictures of this other listing, as a fraudulent copy would. */
  picturesOf: z.string().optional(),
  /** The key of a sample person who may sell. */
  seller: z.string(),
  category: z.int(),
  breed: idOfAnimal,
  name: z.string(),
  nameEn: z.string(),
  description: z.string(),
  descriptionEn: z.string(),
  age: idOfAnimal,
  gender: idOfAnimal,
  color: idOfAnimal,
  /** 0 is "not weighed". */
  weightKg: z.number(),
  stock: z.int(),
  originalRupees: z.int(),
  offerRupees: z.int().optional(),
  /** The twelve digits of the ear tag; invented. */
  tag: z.string().optional(),
  vaccinations: z.array(z.strictObject({ vaccine: z.string(), dose: z.literal([1, 2, 3]), daysAgo: z.int() })).optional(),
  /** Withdrawn: it had passed before. */
  verification: z.enum(['passed', 'pending', 'failed', 'withdrawn']),
  verificationComment: z.string().optional(),
  /** The texts that passed, when its seller has changed them since: it waits for a second look. */
  passedAs: z
    .strictObject({ name: z.string(), nameEn: z.string(), description: z.string(), descriptionEn: z.string(), changedDaysAgo: z.int() })
    .optional(),
  sold: z.enum(['through-sandhai', 'elsewhere']).optional(),
  listedDaysAgo: z.int(),
  touchedDaysAgo: z.int(),
  views: z.int(),
  vetCheck: z
    .strictObject({
      approved: z.boolean(),
      daysAgo: z.int(),
      comments: z.string(),
      commentsEn: z.string(),
      findings: vetFindings.optional(),
    })
    .optional(),
})

export type SampleListing = z.infer<typeof described> & Partial<Facts>

/** Every other key is a fact of the field table. The sell form checks the values (sample-market.test.ts). */
const sampleListing = described
  .catchall(z.union([z.number(), z.string()]))
  .refine((sample) => Object.keys(sample).every((key) => key in described.shape || key in fieldTable))

export const sampleListings = z.array(sampleListing).parse(listings) as SampleListing[]
