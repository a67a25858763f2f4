import type { Typed } from '#src/selling/unsent/draft-fields.ts'
import { goneRefs } from '#src/selling/unsent/photo-refs.ts'
import { UNDERSTOOD } from './understood.ts'

/** Answers of a form that tell no animal from another. */
const sayNothing = ['name', 'description', 'pickup', 'stock', UNDERSTOOD]

/** Answers about the seller and the owner: they stay when the form goes on to another animal. */
const staying = ['sellerId', 'enquiryId', 'pickup', 'whose', 'ownerName', 'ownerPhone', 'ownerFee', 'ownerFeeUnit']

/**
 * Whether a message may be about another animal than the form: it names a species or a breed, and contradicts an
 * answer. A message that only corrects a price or a weight names neither.
 */
export const mayBeAnother = (typed: Typed, read: Typed): boolean =>
  (read.categoryId ?? read.breedId) !== undefined &&
  Object.entries(read).some(([name, value]) => !sayNothing.includes(name) && typed[name] !== undefined && typed[name] !== value)

/** A form for another animal of the same seller. The photos of the one before leave it, and can be brought back. */
export const anotherAnimal = (typed: Typed, { key, photos }: { key: string; photos: readonly string[] }): Typed => ({
  ...Object.fromEntries(staying.flatMap((name) => (typed[name] === undefined ? [] : [[name, typed[name]]]))),
  key,
  stock: '1',
  ...(photos.length > 0 && { gonePhotos: [...new Set([...goneRefs(typed.gonePhotos), ...photos])].join(' ') }),
})
