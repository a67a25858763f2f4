import { z } from 'zod'
import { parsePincode, readPhone } from '#src/kit/text/readers.ts'
import { personName } from '#src/accounts/schemas.ts'
import { parseRupees, type Money } from '#src/kit/time-money/money.ts'
import { readBy } from '#src/kit/text/text.ts'
import { Problem, type FieldProblem } from '#src/kit/base/problem.ts'
import { listingFields, MAX_WEIGHT } from '#src/listings/write/listing-input.ts'
import { isAnimalType } from '#src/listings/fields/listing-questions.ts'
import { prohibitedIn } from '#src/listings/write/prohibited.ts'
import { breeds, categories, categoryTypes } from '#src/listings/reference/reference-data.ts'
import { typedRupees } from '#src/kit/time-money/amounts.ts'
import { multiLine, plainFigures, plainMeasure, singleLine } from '#src/kit/text/plain-text.ts'

/** B §5: the fields as a form or a program sends them, all as text. A missing field equals an empty one. */
const enquiryFields = [
  'categoryTypeId',
  'categoryId',
  'breedId',
  'ageId',
  'genderId',
  'colorId',
  'description',
  'requiredCount',
  'acceptablePrice',
  'weightKg',
  'pincode',
  'postedFor',
  'contact',
] as const
export type EnquiryField = (typeof enquiryFields)[number]
export type TypedEnquiry = Readonly<Partial<Record<EnquiryField, string>>>

/** The fields of the form. Each category has its own list of breeds, so that the form needs no script; the list of the chosen category counts. */
export function typedEnquiry(text: (field: string) => string): TypedEnquiry {
  const typed = Object.fromEntries(enquiryFields.map((name) => [name, text(name)]))
  return { ...typed, breedId: text(`breed-${typed.categoryId}`), acceptablePrice: typedRupees(text('acceptablePrice')) }
}

const MAX_REQUIRED = 10
/** In kilograms. */
const WEIGHT_STEP = 0.25

/** A valid enquiry. The place follows from the PIN code. */
export interface EnquiryInput {
  categoryTypeId: number
  categoryId: number | null
  breedId: number | null
  ageId: number | null
  genderId: number | null
  colorId: number | null
  description: string
  requiredCount: number
  acceptablePrice: Money
  weightKg: number
  pincode: string
  postedFor: string
  contact: string
}

const prohibitedTexts = {
  wildlife: 'field_listing_wildlife',
  medicines: 'field_listing_prescription',
  dogs: 'field_listing_dogs',
} as const

/** Longer than any number, name or code, so it is not parsed. */
const MAX_RAW = 1000
const blankOr = (message: string) =>
  z
    .string()
    .max(MAX_RAW, 'field_wrong')
    .overwrite(singleLine)
    .refine((text) => text !== '', { error: message, abort: true })

/** B §5: a leading + is added if it is missing. */
const contact = blankOr('field_address_phone_blank').transform(
  readBy((text) => readPhone(text) ?? readPhone(`+${text}`), 'field_phone_format'),
)

const pincode = blankOr('field_address_pincode_blank').transform(readBy(parsePincode, 'field_address_pincode_format'))

const requiredCount = blankOr('field_enquiry_count_blank')
  .transform(plainFigures)
  .refine((text) => /^\d{1,4}$/.test(text) && Number(text) <= MAX_REQUIRED, { error: 'field_enquiry_count', abort: true })
  .transform(Number)

const weightKg = blankOr('field_enquiry_weight_blank')
  .transform(plainMeasure)
  .refine((text) => /^\d{1,5}(\.\d{1,4})?$/.test(text) && Number(text) <= MAX_WEIGHT && Number(text) % WEIGHT_STEP === 0, {
    error: 'field_enquiry_weight',
    abort: true,
  })
  .transform(Number)

const acceptablePrice = blankOr('field_enquiry_price_blank').transform(
  readBy((text) => parseRupees(plainFigures(text)), 'field_listing_price'),
)

const description = z
  .string()
  .overwrite(multiLine)
  .refine((text) => text !== '', { error: 'field_enquiry_details', abort: true })
  .pipe(listingFields.description)

/** A category type's id, in digits. */
const categoryTypeId = z
  .string()
  .regex(/^\d{1,4}$/, { error: 'field_enquiry_type', abort: true })
  .transform(Number)
  .refine((id) => categoryTypes.some((type) => type.id === id), 'field_enquiry_type')

type CheckedEnquiry = { input: EnquiryInput; problems: [] } | { input: null; problems: FieldProblem[] }

/** Parses text into an enquiry and reports all problems at once. Drops a value for a field that this type does not have. */
export function checkEnquiry(typed: TypedEnquiry): CheckedEnquiry {
  const problems: FieldProblem[] = []
  const read = <T>(field: EnquiryField, schema: z.ZodType<T, string>): T | null => {
    const result = schema.safeParse(typed[field] ?? '')
    if (result.success) return result.data
    problems.push({ field, message: result.error.issues[0]!.message })
    return null
  }
  const optional = <T>(field: EnquiryField, schema: z.ZodType<T, string>): T | null =>
    (typed[field] ?? '') === '' ? null : read(field, schema)

  const typeId = read('categoryTypeId', categoryTypeId)
  const isAnimal = typeId !== null && isAnimalType(typeId)
  const category = categories.find(({ id, typeId: of }) => String(id) === typed.categoryId && of === typeId)
  const isCategoryWrong = typeId !== null && !category && (isAnimal || (typed.categoryId ?? '') !== '')
  if (isCategoryWrong) problems.push({ field: 'categoryId', message: 'field_enquiry_category' })
  const breedId = isAnimal && category ? optional('breedId', listingFields.breedId) : null
  if (breedId !== null && !breeds.some(({ id, categoryId }) => id === breedId && categoryId === category!.id))
    problems.push({ field: 'breedId', message: 'field_listing_breed' })
  const ofAnimal = <T>(field: EnquiryField, schema: z.ZodType<T, string>) => (isAnimal ? optional(field, schema) : null)
  const input = {
    categoryTypeId: typeId,
    categoryId: category?.id ?? null,
    breedId,
    genderId: ofAnimal('genderId', listingFields.genderId),
    ageId: ofAnimal('ageId', listingFields.ageId),
    colorId: ofAnimal('colorId', listingFields.colorId),
    description: read('description', description),
    requiredCount: read('requiredCount', requiredCount),
    weightKg: read('weightKg', weightKg),
    acceptablePrice: read('acceptablePrice', acceptablePrice),
    pincode: read('pincode', pincode),
    postedFor: read('postedFor', blankOr('field_name_blank').pipe(personName)),
    contact: read('contact', contact),
  }
  // Goods that may not be sold here may not be requested either.
  const prohibited =
    input.description !== null && typeId !== null ? prohibitedIn(input.description, { id: category?.id ?? 0, typeId }) : null
  if (prohibited) problems.push({ field: 'description', message: prohibitedTexts[prohibited] })
  return problems.length > 0 ? { input: null, problems } : { input: input as EnquiryInput, problems: [] }
}

/** Raises VALIDATION with every invalid field. */
export function readEnquiry(typed: TypedEnquiry): EnquiryInput {
  const { input, problems } = checkEnquiry(typed)
  if (!input) throw new Problem('VALIDATION', { fields: problems })
  return input
}

/** For the look-up of a place without JavaScript. */
export const pincodeInput = z.object({ pincode })
