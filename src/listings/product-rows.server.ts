import { z } from 'zod'
import { CLIP_FORMATS, CLIP_KINDS } from '#src/kit/media/clips/clip-limits.ts'
import { longShape } from '#src/kit/db/rows.server.ts'
import { LISTING_STATES } from '#src/listings/life/life.ts'
import { factRowShape } from './fields/field-select.server.ts'
import { fieldTable } from './fields/field-table.ts'
import { MILKING_TIMES } from './proofs/proof-rules.ts'
import { FINDINGS } from './tables.ts'

const photoShape = z.object({
  key: z.string(),
  width: z.number(),
  height: z.number(),
  color: z.string(),
  /** A base64 thumbhash. */
  hash: z.string(),
})
export type Photo = z.output<typeof photoShape>

const clipShape = z.object({
  id: z.number(),
  kind: z.enum(CLIP_KINDS),
  key: z.string(),
  format: z.enum(CLIP_FORMATS),
  bytes: z.number(),
  millis: z.number(),
  width: z.number().nullable(),
  height: z.number().nullable(),
  stillKey: z.string().nullable(),
  caption: z.string(),
})
export type Clip = z.output<typeof clipShape>

const milkingClipShape = clipShape.omit({ id: true, kind: true, caption: true })
export type MilkingClip = z.output<typeof milkingClipShape>

export const milkingShape = z.object({
  id: z.number(),
  on: z.string(),
  time: z.enum(MILKING_TIMES),
  litres: z.number(),
  /** Null without a clip, or until an admin has seen it. */
  clip: milkingClipShape.nullable(),
})
export type Milking = z.output<typeof milkingShape>

/** A photo of the animal with the word of a day (proofs/day-word.server.ts). */
export const dayPhotoShape = z.object({ day: z.string(), word: z.number(), number: z.number(), photo: photoShape })
export type DayPhoto = z.output<typeof dayPhotoShape>

const vaccinationShape = z.object({ id: z.number(), vaccineId: z.number(), dose: z.number(), vaccinatedOn: z.string() })
export type Vaccination = z.output<typeof vaccinationShape>

const findingShape = z.enum(FINDINGS)
export type Finding = z.output<typeof findingShape>

/** The vet's other findings; null where they did not examine it. */
const findingsShape = z.object({
  temperatureC: z.number().nullable(),
  /** 1 to 5 in halves. */
  bodyCondition: z.number().nullable(),
  teeth: findingShape.nullable(),
  udder: findingShape.nullable(),
  gait: findingShape.nullable(),
  skin: findingShape.nullable(),
})
export type Findings = z.output<typeof findingsShape>

const vetCheckShape = z.object({
  id: z.number(),
  approved: z.boolean(),
  comments: z.string(),
  checkedOn: z.string(),
  /** The listing's revision at the time of the finding (isCheckValid). */
  revision: z.number(),
  findings: findingsShape,
  photos: z.array(photoShape),
  createdMs: z.number(),
  vetId: z.number(),
  vetName: z.string(),
  vetDegree: z.string().nullable(),
})
export type VetCheck = z.output<typeof vetCheckShape>

const verificationShape = z.object({
  id: z.number(),
  passed: z.boolean(),
  comment: z.string(),
  adminName: z.string(),
  at: z.string(),
})
export type Verification = z.output<typeof verificationShape>

export const productRow = z.object({
  id: longShape,
  category_id: z.number(),
  breed_id: z.number().nullable(),
  age_id: z.number().nullable(),
  gender_id: z.number().nullable(),
  color_id: z.number().nullable(),
  feed_type_id: z.number(),
  weight_kg: longShape,
  owner_name: z.string().nullable(),
  stock: z.number(),
  original_price: longShape,
  offer_price: longShape.nullable(),
  ...factRowShape(fieldTable),
  has_tag: z.boolean(),
  version: z.number(),
  revision: z.number(),
  created_by_id: longShape,
  editor_id: longShape.nullable(),
  changed_ms: longShape,
  submitted_ms: longShape,
  asked_by: z.number().nullable(),
  hold: z.object({ vetId: z.number(), until: z.number() }).nullable(),
  state: z.enum(LISTING_STATES),
  verification_comment: z.string().nullable(),
  is_sold: z.boolean(),
  sold_through_sandhai: z.boolean().nullable(),
  is_sample: z.boolean(),
  pincode: z.string(),
  taluk: z.string(),
  district: z.string(),
  state_name: z.string(),
  shown_name: z.string(),
  shown_description: z.string(),
  created_ms: longShape,
  touched_ms: longShape,
  pickup_deliverable: z.boolean(),
  seller: z.object({
    id: z.number(),
    name: z.string(),
    is_verified: z.boolean(),
    phone: z.string(),
    stars: z.number().nullable(),
    ratings: z.number(),
    reviews: z.number(),
  }),
  pickup: z.object({
    id: z.number(),
    name: z.string(),
    address_1: z.string(),
    address_2: z.string(),
    phone: z.string(),
    type_id: z.number(),
  }),
  photos: z.array(photoShape),
  clips: z.array(clipShape),
  milkings: z.array(milkingShape),
  day_photo: dayPhotoShape.nullable(),
  vaccinations: z.array(vaccinationShape),
  vet_checks: z.array(vetCheckShape),
  verifications: z.array(verificationShape),
  views: z.number(),
  last_viewed_ms: longShape.nullable(),
})
export type ProductRow = z.output<typeof productRow>
