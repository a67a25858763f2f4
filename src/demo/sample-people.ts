import { z } from 'zod'
import people from './sample-people.json' with { type: 'json' }

/** The people of the sample market. None of them exists: numbers, addresses and texts are invented. */
const samplePerson = z.strictObject({
  key: z.string(),
  phone: z.string(),
  typeId: z.literal([1, 2, 3, 4, 5, 9]),
  titleId: z.int(),
  /** As the person would write it: some in Tamil, most in Latin letters. */
  name: z.string(),
  degree: z.string().optional(),
  vetApproved: z.boolean().optional(),
  superAdmin: z.boolean().optional(),
  verifiedSeller: z.boolean().optional(),
  /** A seller's pickup address or a buyer's delivery address. The PIN code is the town's real one. */
  pickup: z.strictObject({ name: z.string(), address1: z.string(), address2: z.string(), pincode: z.string() }).optional(),
  /** Reviews of this seller; `by` is the key of another person. */
  reviews: z.array(z.strictObject({ by: z.string(), stars: z.int().nullable(), comment: z.string(), daysAgo: z.int() })).optional(),
})

/** The seven demo logins of the README come first. */
export const samplePeople = z.array(samplePerson).parse(people)
