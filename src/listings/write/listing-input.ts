import { z } from 'zod'
import { parseRupees, type Money } from '#src/kit/time-money/money.ts'
import { readBy } from '#src/kit/text/text.ts'
import type { FieldProblem } from '#src/kit/base/problem.ts'
import { answerTo, decimal, whole } from '#src/listings/fields/field-input.ts'
import { factsFrom, fieldTable, isAsked, type Facts, type FieldTable } from '#src/listings/fields/field-table.ts'
import { MAX_VACCINES, questionsFor } from '#src/listings/fields/listing-questions.ts'
import { typedRupees } from '#src/kit/time-money/amounts.ts'
import { multiLine, plainMeasure, singleLine } from '#src/kit/text/plain-text.ts'
import type { TypedListing } from '#src/listings/fields/typed-figures.ts'
import { breeds, categories, colors, genders, livestockAges, vaccineDoses, vaccines } from '#src/listings/reference/reference-data.ts'
import { prohibitedIn } from './prohibited.ts'

/** Cards show the title; longer text belongs to the description. */
export const MAX_NAME = 120
export const MAX_DESCRIPTION = 2000
export const MAX_STOCK = 10_000
export const MAX_WEIGHT = 5000
/** No animal alive today was born before this day. */
const FIRST_DAY = '1990-01-01'

/** The validated description of an animal or lot, as it is stored. */
export interface ListingFacts extends Facts {
  categoryId: number
  breedId: number | null
  ageId: number | null
  genderId: number | null
  colorId: number | null
  name: string
  description: string
  stock: number
  weightKg: number
  originalPrice: Money
  offerPrice: Money | null
  /** Twelve digits. */
  tag: string | null
  vaccinations: { vaccineId: number; dose: number; vaccinatedOn: string }[]
}

const words = (plain: (text: string) => string, max: number, blank: string, long: string) =>
  z
    .string()
    .max(max * 4, long)
    .overwrite(plain)
    .refine((text) => text !== '', { error: blank, abort: true })
    .refine((text) => /[\p{L}\p{N}]/u.test(text), { error: 'field_listing_words', abort: true })
    .refine((text) => [...text].length <= max, long)

const choice = (rows: readonly { id: number }[], message: string) =>
  z
    .string()
    .regex(/^\d{1,4}$/, { error: message, abort: true })
    .transform(Number)
    .refine((id) => rows.some((row) => row.id === id), message)
const rupees = z.string().transform(readBy(parseRupees, 'field_listing_price'))

/** Each field on its own, from its text; the field table has the optional facts. `checkListing` decides which questions apply to the species. */
export const listingFields = {
  categoryId: choice(categories, 'field_listing_category'),
  name: words(singleLine, MAX_NAME, 'field_listing_name', 'field_listing_name_long'),
  description: words(multiLine, MAX_DESCRIPTION, 'field_listing_description', 'field_listing_description_long'),
  ageId: choice(livestockAges, 'field_listing_age'),
  colorId: choice(colors, 'field_listing_color'),
  genderId: choice(genders, 'field_listing_gender'),
  breedId: choice(breeds, 'field_listing_breed'),
  stock: whole(1, MAX_STOCK, 'field_listing_stock'),
  weightKg: decimal(2, MAX_WEIGHT, 'field_listing_weight'),
  originalPrice: rupees.refine((money) => money > 0n, 'field_listing_price'),
  offerPrice: rupees,
  tag: z.string().regex(/^\d{12}$/, 'field_listing_tag'),
  dose: choice(vaccineDoses, 'field_listing_dose'),
}

const prohibitedTexts = {
  wildlife: 'field_listing_wildlife',
  medicines: 'field_listing_prescription',
  dogs: 'field_listing_dogs',
} as const

const prices = ['originalPrice', 'offerPrice']
const otherFigures = ['stock', 'weightKg', 'tag']

/** Normalizes a form's fields for the checks. */
export function readTyped(typed: TypedListing, table: FieldTable = fieldTable): TypedListing {
  const isFigure = (name: string) => otherFigures.includes(name) || (table[name] !== undefined && table[name].kind !== 'choice')
  const plain = (name: string, text: string) => (prices.includes(name) ? typedRupees(text) : isFigure(name) ? plainMeasure(text) : text)
  return Object.fromEntries(Object.entries(typed).map(([name, text = '']) => [name, plain(name, text)]))
}

type CheckedListing = { facts: ListingFacts; problems: [] } | { facts: null; problems: FieldProblem[] }

/**
 * Parses text into facts and reports all problems at once. `today` is the day in India. `isStrict` (the API) refuses an answer to a question that
 * does not apply to the species, and blanks around a figure. A form drops and trims them, because the person may have typed them before choosing
 * another species.
 */
export function checkListing(
  typed: TypedListing,
  { today, isStrict = false, table = fieldTable }: { today: string; isStrict?: boolean; table?: typeof fieldTable },
): CheckedListing {
  const { typedText, required, optional, readIfAsked, note, problems } = readAnswers(typed, isStrict)
  const categoryId = required('categoryId', listingFields.categoryId)
  const category = categories.find(({ id }) => id === categoryId) ?? null
  const name = required('name', listingFields.name)
  const description = required('description', listingFields.description)
  const isAnimal = questionsFor(category, null).animal
  const genderId = readIfAsked(isAnimal, () => required('genderId', listingFields.genderId), 'genderId')
  const ageId = readIfAsked(isAnimal, () => required('ageId', listingFields.ageId), 'ageId')
  const asks = questionsFor(category, ageId)
  const breedId = readIfAsked(asks.breed, () => required('breedId', listingFields.breedId), 'breedId')
  if (breedId !== null && breeds.find(({ id }) => id === breedId)?.categoryId !== categoryId) note('breedId', 'field_listing_breed')
  const colorId = readIfAsked(asks.animal, () => required('colorId', listingFields.colorId), 'colorId')
  const stock = required('stock', listingFields.stock)
  const weightKg = required('weightKg', listingFields.weightKg)
  const originalPrice = required('originalPrice', listingFields.originalPrice)
  const offer = optional('offerPrice', listingFields.offerPrice)
  const offerPrice = offer === 0n ? null : offer
  if (offerPrice !== null && originalPrice !== null && offerPrice >= originalPrice) note('offerPrice', 'field_listing_offer')
  const optionalFacts = factsFrom(table, (name, field) =>
    readIfAsked(isAsked(field, categoryId, genderId), () => optional(name, answerTo(field)), name),
  )
  const tag = readIfAsked(asks.tag, () => optional('tag', listingFields.tag), 'tag')
  if (asks.weeks && typedText('isOldEnough') === '') note('isOldEnough', 'field_listing_weeks')
  if (category) noteProhibited({ name, description }, category, note)
  const vaccinations = readVaccinations(typedText, { categoryId, today, isAsked: asks.vaccines, isStrict }, note)
  if (problems.length > 0) return { facts: null, problems }
  const facts = {
    categoryId: categoryId!,
    breedId,
    ageId,
    genderId,
    colorId,
    name: name!,
    description: description!,
    stock: stock!,
    weightKg: weightKg!,
    originalPrice: originalPrice!,
    offerPrice,
    ...optionalFacts,
    tag,
    vaccinations,
  }
  return { facts, problems: [] }
}

/** Readers for single answers that collect problems. */
function readAnswers(typed: TypedListing, isStrict: boolean) {
  const problems: FieldProblem[] = []
  const note = (field: string, message: string) => void problems.push({ field, message })
  const typedText = (field: string) => (isStrict ? (typed[field] ?? '') : (typed[field] ?? '').trim())
  const required = <T>(field: string, schema: z.ZodType<T, string>): T | null => {
    const read = schema.safeParse(typedText(field))
    if (read.success) return read.data
    note(field, read.error.issues[0]!.message)
    return null
  }
  const optional = <T>(field: string, schema: z.ZodType<T, string>) => (typedText(field) === '' ? null : required(field, schema))
  /** Reads an answer only if the question applies. 0 and an empty value count as no answer, because old clients always send them. */
  const readIfAsked = <T>(isAsked: boolean, read: () => T | null, field: string): T | null => {
    if (isAsked) return read()
    if (isStrict && !['', '0'].includes(typedText(field))) note(field, 'field_listing_not_asked')
    return null
  }
  return { typedText, required, optional, readIfAsked, note, problems }
}

type Note = (field: string, message: string) => void

function noteProhibited(
  texts: { name: string | null; description: string | null },
  category: Parameters<typeof prohibitedIn>[1],
  note: Note,
): void {
  for (const [field, text] of Object.entries(texts)) {
    const prohibited = text === null ? null : prohibitedIn(text, category)
    if (prohibited) note(field, prohibitedTexts[prohibited])
  }
}

/** Reads `vaccine1`, `dose1`, `vaccinated1` and the same with 2. Skips a vaccine that was not chosen. */
function readVaccinations(
  typedText: (field: string) => string,
  options: { categoryId: number | null; today: string; isAsked: boolean; isStrict: boolean },
  note: Note,
): ListingFacts['vaccinations'] {
  const rows: ListingFacts['vaccinations'] = []
  for (let n = 1; n <= MAX_VACCINES; n++) {
    const [vaccine, dose, day] = [typedText(`vaccine${n}`), typedText(`dose${n}`), typedText(`vaccinated${n}`)] as const
    if (vaccine === '' && !options.isStrict) continue
    if (vaccine === '' && dose === '' && day === '') continue
    if (!options.isAsked) {
      if (options.isStrict) note(`vaccine${n}`, 'field_listing_not_asked')
      continue
    }
    const known = vaccines.find(({ id, categoryIds }) => String(id) === vaccine && categoryIds.includes(options.categoryId ?? 0))
    const read = listingFields.dose.safeParse(dose)
    if (!known) note(`vaccine${n}`, 'field_listing_vaccine')
    if (!read.success) note(`dose${n}`, 'field_listing_dose')
    const isDay = isRealDay(day) && day >= FIRST_DAY
    if (!isDay) note(`vaccinated${n}`, 'field_listing_vaccinated')
    else if (day > options.today) note(`vaccinated${n}`, 'field_listing_future')
    if (known && read.success && isDay) rows.push({ vaccineId: known.id, dose: read.data, vaccinatedOn: day })
  }
  return rows
}

/** `YYYY-MM-DD` and an existing day: there is no 30 February. */
function isRealDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

/** False when the category belongs to another type. */
export const isTypeOf = (typeId: unknown, categoryId: unknown): boolean =>
  categories.some((category) => String(category.id) === String(categoryId) && String(category.typeId) === String(typeId))
