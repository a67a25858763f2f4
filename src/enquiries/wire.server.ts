import { z } from '@hono/zod-openapi'
import { hidePhones } from '#src/kit/text/phones-in-text.ts'
import { leftTo } from '#src/kit/text/text.ts'
import { placeName } from '#src/addresses/places.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { toRupeeNumber } from '#src/kit/time-money/money.ts'
import { lookups, nameOf, nameOrNull } from '#src/listings/reference/lookups.server.ts'
import { m } from '#src/paraglide/messages.js'
import { phoneFor, seesWhole } from '#src/accounts/policy.ts'
import type { Enquiry } from './queries.server.ts'
import { can } from './policy.ts'
import { enquiryCode, stateOf } from './rules.ts'
import type { EnquiryField, TypedEnquiry } from './schemas.ts'

/** The field names of B §3, in the specification's spelling. */
const wireNames: Record<EnquiryField, string> = {
  categoryTypeId: 'categorytype',
  categoryId: 'category',
  breedId: 'breed',
  ageId: 'age',
  genderId: 'gender',
  colorId: 'color',
  description: 'description',
  requiredCount: 'requiredcount',
  acceptablePrice: 'acceptableprice',
  weightKg: 'weight',
  pincode: 'requiredaroundpincode',
  postedFor: 'postedfor',
  contact: 'contact',
}

export const withWireName = ({ field, message }: { field: string; message: string }) => ({
  field: wireNames[field as EnquiryField] ?? field,
  message,
})

/** A choice or a figure as programs send it: a number or its text. Null and '' mean "not given". */
const given = z.union([leftTo('checkEnquiry', z.string().max(10_000)), z.number(), z.null()]).optional()
const ignored = z.unknown().optional().openapi({ description: 'Ignored.' })
const id = z.int().positive().max(999_999_999_999_999)

/** Everything that the old form sends. Each call names the fields that count; the others are accepted and ignored. */
const known = {
  categorytype: given.openapi({ type: 'integer', description: 'An id of category-type.' }),
  category: given.openapi({ type: 'integer', description: 'Required with category types 1 and 2.' }),
  breed: given.openapi({ type: 'integer' }),
  age: given.openapi({ type: 'integer' }),
  gender: given.openapi({ type: 'integer' }),
  color: given.openapi({ type: 'integer' }),
  description: given.openapi({ type: 'string', description: '1 to 2000 characters.' }),
  requiredcount: given.openapi({ type: 'integer', description: 'The number of animals, 0 to 10. 0: not decided.' }),
  acceptableprice: given.openapi({ type: 'number', description: 'Rupees for one. 0: open to offers.' }),
  weight: given.openapi({ type: 'number', description: 'The minimum weight in kg, in steps of 0.25. 0: any.' }),
  requiredaroundpincode: given.openapi({ type: 'string', description: 'City and state are derived from it.' }),
  postedfor: given.openapi({ type: 'string', description: 'The name of the person for whom it is posted.' }),
  contact: given.openapi({ type: 'string', description: 'A phone number for admins.' }),
  id: ignored,
  uniqueidentifier: ignored,
  requiredaroundcity: ignored,
  requirearoundstate: ignored,
  status: ignored,
  recieveduserresponse: ignored,
  createdon: ignored,
  isclosed: ignored,
  categorytype_name: ignored,
  category_name: ignored,
  breed_name: ignored,
  age_name: ignored,
  gender_name: ignored,
  color_name: ignored,
  posted_by_name: ignored,
}

export const newEnquiry = z.strictObject({
  ...known,
  posted_by: id.nullish().openapi({ description: "The caller's own id. Optional." }),
  isverified: ignored,
  verifiedby: id.nullish().openapi({ description: "The caller's own id. Optional." }),
  verificationcomment: ignored,
})

export const judgement = z.strictObject({
  ...Object.fromEntries([...Object.keys(known), 'posted_by'].map((name) => [name, ignored])),
  isverified: z.union([z.boolean(), z.literal([0, 1])], 'true or false').openapi({ type: 'boolean', description: 'True to approve.' }),
  verifiedby: id.nullish().openapi({ description: "The caller's own id. Optional." }),
  verificationcomment: z.unknown().optional().openapi({ type: 'string', description: 'The reason, 1 to 1000 characters.' }),
})

export function typedOf(body: z.infer<typeof newEnquiry>): TypedEnquiry {
  const sent = body as Record<string, string | number | null | undefined>
  return Object.fromEntries(Object.entries(wireNames).map(([field, name]) => [field, String(sent[name] ?? '')]))
}

export const enquiryOnWire = z.strictObject({
  id: z.int(),
  uniqueidentifier: z.string(),
  description: z.string().openapi({ description: 'Phone numbers are masked, except for the poster and admins with powers.' }),
  posted_by: z.int(),
  posted_by_name: z.string(),
  postedfor: z.string().openapi({ description: 'Empty, except for the poster and admins.' }),
  contact: z.string().nullable().openapi({ description: 'Null, except for the poster and admins.' }),
  categorytype: z.int(),
  categorytype_name: z.string(),
  category: z.int().nullable(),
  category_name: z.string().nullable(),
  breed: z.int().nullable(),
  breed_name: z.string().nullable(),
  age: z.int().nullable(),
  age_name: z.string().nullable(),
  gender: z.int().nullable(),
  gender_name: z.string().nullable(),
  color: z.int().nullable(),
  color_name: z.string().nullable(),
  requiredcount: z.int(),
  acceptableprice: z.number(),
  weight: z.number(),
  requiredaroundpincode: z.string(),
  requiredaroundcity: z.string().openapi({ description: 'The district.' }),
  requirearoundstate: z.string(),
  isverified: z.boolean(),
  verifiedby: z.int().nullable(),
  verificationcomment: z.string().nullable().openapi({ description: 'The reason. Null, except for the poster and admins.' }),
  status: z.int().openapi({ description: '1: closed. 2: expired, 90 days after it was posted or renewed. 0: neither.' }),
  recieveduserresponse: z.int().openapi({ description: 'The number of listings offered in response.' }),
  createdon: z.iso.datetime(),
  isclosed: z.boolean(),
})

export function onWire(ctx: Ctx, enquiry: Enquiry): z.infer<typeof enquiryOnWire> {
  const { locale } = ctx
  const isFor = can(ctx.viewer, 'see-enquiry-contact', enquiry)
  const state = stateOf(enquiry, ctx.now)
  return {
    id: enquiry.id,
    uniqueidentifier: enquiryCode(enquiry.id),
    description: isFor && seesWhole(ctx.viewer, enquiry.posterId) ? enquiry.description : hidePhones(enquiry.description),
    posted_by: enquiry.posterId,
    posted_by_name: enquiry.posterName || m.profile_deleted_user({}, { locale }),
    postedfor: isFor ? enquiry.postedFor : '',
    contact: isFor ? phoneFor(ctx.viewer, enquiry.contact, enquiry.posterId) : null,
    categorytype: enquiry.categoryTypeId,
    categorytype_name: nameOf(lookups.categoryType(enquiry.categoryTypeId), locale),
    category: enquiry.categoryId,
    category_name: nameOrNull(lookups.category, enquiry.categoryId, locale),
    breed: enquiry.breedId,
    breed_name: nameOrNull(lookups.breed, enquiry.breedId, locale),
    age: enquiry.ageId,
    age_name: nameOrNull(lookups.age, enquiry.ageId, locale),
    gender: enquiry.genderId,
    gender_name: nameOrNull(lookups.gender, enquiry.genderId, locale),
    color: enquiry.colorId,
    color_name: nameOrNull(lookups.color, enquiry.colorId, locale),
    requiredcount: enquiry.requiredCount,
    acceptableprice: toRupeeNumber(enquiry.acceptablePrice),
    weight: enquiry.weightKg,
    requiredaroundpincode: enquiry.pincode,
    requiredaroundcity: placeName(enquiry.district, locale),
    requirearoundstate: placeName(enquiry.stateName, locale),
    isverified: enquiry.isVerified === true,
    verifiedby: enquiry.verifiedById,
    verificationcomment: isFor ? enquiry.verificationComment : null,
    status: state === 'closed' ? 1 : state === 'expired' ? 2 : 0,
    recieveduserresponse: enquiry.offers,
    createdon: enquiry.createdAt.toISOString(),
    isclosed: enquiry.closedAt !== null,
  }
}
