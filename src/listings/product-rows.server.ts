import { z } from 'zod'
import { CLIP_FORMATS, CLIP_KINDS } from '#src/kit/media/clips/clip-limits.ts'
import { moneyShape, momentShape } from '#src/kit/db/rows.server.ts'
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
  id: z.number(),
  name: z.string(),
  description: z.string(),
  categoryId: z.number(),
  breedId: z.number().nullable(),
  ageId: z.number().nullable(),
  genderId: z.number().nullable(),
  colorId: z.number().nullable(),
  feedTypeId: z.number(),
  weightKg: z.number(),
  stock: z.number(),
  originalPrice: moneyShape,
  offerPrice: moneyShape.nullable(),
  ...factRowShape(fieldTable),
  /** A tag is on record. Nobody sees its digits. */
  hasTag: z.boolean(),
  state: z.enum(LISTING_STATES),
  verificationComment: z.string().nullable(),
  isSold: z.boolean(),
  soldThroughSandhai: z.boolean().nullable(),
  isSample: z.boolean(),
  createdAt: momentShape,
  touchedAt: momentShape,
  /** The time of the last new description; earlier findings are no longer valid. */
  changedAt: momentShape,
  submittedAt: momentShape,
  version: z.number(),
  revision: z.number(),
  createdById: z.number(),
  editorId: z.number().nullable(),
  pincode: z.string(),
  taluk: z.string(),
  district: z.string(),
  stateName: z.string(),
  pickupDeliverable: z.boolean(),
  seller: z.object({
    id: z.number(),
    name: z.string(),
    isVerified: z.boolean(),
    phone: z.string(),
    stars: z.number().nullable(),
    ratings: z.number(),
    reviews: z.number(),
  }),
  /** The owner for whom the seller, an agent, has listed it. */
  ownerName: z.string().nullable(),
  pickup: z.object({
    id: z.number(),
    name: z.string(),
    address1: z.string(),
    address2: z.string(),
    phone: z.string(),
    typeId: z.number(),
  }),
  photos: z.array(photoShape),
  /** Videos first, then the voice note. */
  clips: z.array(clipShape),
  /** The milkings of the last thirty days, newest first. */
  milkings: z.array(milkingShape),
  /** Visible for thirty days once an admin has seen it. */
  vaccinations: z.array(vaccinationShape),
  /** Newest first. */
  vetChecks: z.array(vetCheckShape),
  /** Newest first, for admins only. */
  verifications: z.array(verificationShape),
  views: z.number(),
  lastViewedAt: momentShape.nullable(),
  /** How many people contacted the seller; null except for the owner and admins. */
  askedBy: z.number().nullable(),
  /** The vet who holds the animal; visible to vets and admins. */
  hold: z.object({ vetId: z.number(), until: momentShape }).nullable(),
})
export type ProductRow = z.output<typeof productRow>
