import rows from './breeds.json' with { type: 'json' }

/**
 * The breeds are in `breeds.json`, one row each, in the order of the design's breed tables. The id is category id * 100 + row number, so add a new
 * breed at the END of its category and never remove a row.
 * `aliases` are other spellings that people type, in Tamil and in Latin letters: always lower case, never equal to `en` or `ta`, never shared by two
 * breeds of one category (a test checks this), except the buffalo words, which every buffalo breed has.
 * docs/glossary.md lists the Tamil names that differ from the specification's.
 */

export interface Breed {
  id: number
  categoryId: number
  en: string
  ta: string
  /** The short Latin name for small cards and for the wire. */
  shortName: string
  aliases: string[]
}

/** Buffaloes are breeds of the category Cattle. These words select only them. */
export const buffaloWords: string[] = [
  'buffalo',
  'buffaloes',
  'buffalow',
  'bufalo',
  'erumai',
  'erumei',
  'erumaimaadu',
  'எருமை',
  'எருமைமாடு',
  'எருமை மாடு',
  'எருமைகள்',
]

/** Rows 20 to 23 of the cattle table. */
export const buffaloBreedIds: number[] = [120, 121, 122, 123]

export const breeds: Breed[] = rows.map((row) => ({
  ...row,
  categoryId: Math.floor(row.id / 100),
  aliases: buffaloBreedIds.includes(row.id) ? [...row.aliases, ...buffaloWords] : row.aliases,
}))
