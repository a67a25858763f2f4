import { MAX_VACCINES } from '#src/listings/listing-questions.ts'

/** The fields of the sell form that a draft keeps, as typed; anything else is no part of it. */
export const draftFields: readonly string[] = [
  /** Names this sending of the form: a second one with the same key makes no second listing. */
  'key',
  'categoryId',
  'name',
  'description',
  'breedId',
  'ageId',
  'genderId',
  'colorId',
  'stock',
  'weightKg',
  'originalPrice',
  'offerPrice',
  'teethPairs',
  'pregnancies',
  'milkLitresPerDay',
  'offspring',
  'lactation',
  'girthCm',
  'lengthCm',
  'tag',
  'isOldEnough',
  'isAllowed',
  'pickup',
  /** Of an admin who lists for somebody: that seller's id. */
  'sellerId',
  /** What it was begun for: an enquiry that it is to answer. */
  'enquiryId',
  ...Array.from({ length: MAX_VACCINES }, (_, n) => [`vaccine${n + 1}`, `dose${n + 1}`, `vaccinated${n + 1}`]).flat(),
]

/** As a draft keeps it: typed by a form, so anything. */
export const isEnquiry = (id: string | null | undefined): id is string => /^[1-9]\d{0,14}$/.test(id ?? '')

/** A text longer than any that could be taken is cut, not refused: a draft takes whatever comes. */
export const MAX_DRAFT_TEXT = 4000

export type Typed = Record<string, string>

/** Of whatever was sent: the known fields with something in them. */
export function draftTyped(sent: Iterable<[string, unknown]>): Typed {
  const typed: Typed = {}
  for (const [name, value] of sent) {
    if (!draftFields.includes(name) || typeof value !== 'string' || value === '') continue
    // What the database could not keep: NUL, halves of a character.
    typed[name] = value.toWellFormed().replaceAll('\0', '').slice(0, MAX_DRAFT_TEXT).toWellFormed()
  }
  return typed
}
