import { fieldTable, type FieldTable } from '#src/listings/fields/field-table.ts'
import { captionFields } from '../captions.ts'
import { MAX_VACCINES } from '#src/listings/fields/listing-questions.ts'

/** The fields of the sell form and the edit form that a draft stores, as typed; other fields are dropped. */
export const draftFieldsOf = (table: FieldTable): readonly string[] => [
  /** The idempotency key of this form: a second submit with the same key makes no second listing. */
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
  ...Object.keys(table),
  'tag',
  'isTagGone',
  /** The photo that comes first, as a photo reference (photo-refs.ts). */
  'mainPhoto',
  /** Photos that were removed and can be brought back: references, separated by spaces. */
  'gonePhotos',
  'isOldEnough',
  'isAllowed',
  'pickup',
  /** Set for a change to a listing: the version of the listing that it is based on. */
  'version',
  /** Set when an admin lists for somebody: that seller's id. */
  'sellerId',
  /** The enquiry that the listing is to answer. */
  'enquiryId',
  /** Set by an agent: `other` for somebody else's animal, and whose it is. */
  'whose',
  'ownerName',
  'ownerPhone',
  'ownerFee',
  'ownerFeeUnit',
  ...captionFields,
  /** The answers that came from the seller's message, each with its words there (selling/paste). */
  'understood',
  ...Array.from({ length: MAX_VACCINES }, (_, n) => [`vaccine${n + 1}`, `dose${n + 1}`, `vaccinated${n + 1}`]).flat(),
]
export const draftFields = draftFieldsOf(fieldTable)

/** As a draft stores it: typed into a form, so unchecked. */
export const isEnquiry = (id: string | null | undefined): id is string => /^[1-9]\d{0,14}$/.test(id ?? '')

/** A text longer than the limit is cut, not refused: a draft accepts any input. */
export const MAX_DRAFT_TEXT = 4000

export type Typed = Record<string, string>

/** Picks the known fields that are not empty from any input. */
export function draftTyped(sent: Iterable<[string, unknown]>, fields = draftFields): Typed {
  const typed: Typed = {}
  for (const [name, value] of sent) {
    if (!fields.includes(name) || typeof value !== 'string' || value === '') continue
    // The database cannot store NUL and halves of a character.
    typed[name] = value.toWellFormed().replaceAll('\0', '').slice(0, MAX_DRAFT_TEXT).toWellFormed()
  }
  return typed
}

/** The same string for the same answers, in whatever order they came. */
export const canonical = (typed: Typed) => JSON.stringify(Object.entries(typed).toSorted(([a], [b]) => (a < b ? -1 : 1)))

/** A key unlike any other of this person. Browsers make UUIDs on https only. */
export const newKey = () => `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`
