import { isSold } from './rules.ts'

/**
 * The life of a listing as one table: who may take which step (policy.ts) from which state, and where it leads. Every other step is refused with
 * LISTING_STEP. A sold listing (marked so, or none left) is in a state of its own here, whatever the column says.
 */
export const LISTING_STATES = ['draft', 'pending', 'passed', 'failed', 'withdrawn'] as const
export type ListingState = (typeof LISTING_STATES)[number]
export type LifeState = ListingState | 'sold'

export type Step =
  /** The pictures are in: sends the listing to the verification queue. */
  | 'submit'
  | 'pass'
  /** Also takes down a listing that was passed. */
  | 'fail'
  /** Stock, weight, price, words. This also resubmits a failed listing. */
  | 'edit'
  /** A change that makes it another animal (isMaterialChange): to be verified again. */
  | 'edit-animal'
  /** An admin decides about words that were changed after it passed (verification/second-looks.server.ts). */
  | 'second-look'
  /** "Still for sale": restarts its hundred days. */
  | 'renew'
  | 'sell'
  | 'withdraw'
  /** Brings back a withdrawn or sold listing. */
  | 'relist'

export type Actor = 'owner' | 'admin'

interface Rule {
  by: readonly Actor[]
  from: readonly LifeState[]
  /** `same`: the state stays. `verdict`: passed when the last verdict still holds for this animal, else pending. */
  to: ListingState | 'same' | 'verdict'
}

const anybody = ['owner', 'admin'] as const

export const life: Record<Step, Rule> = {
  submit: { by: anybody, from: ['draft'], to: 'pending' },
  pass: { by: ['admin'], from: ['pending', 'failed'], to: 'passed' },
  // Withdrawing a listing does not save it from being taken down.
  fail: { by: ['admin'], from: ['pending', 'passed', 'sold', 'withdrawn'], to: 'failed' },
  edit: { by: anybody, from: ['draft', 'pending', 'passed'], to: 'same' },
  'edit-animal': { by: anybody, from: ['pending', 'passed', 'failed'], to: 'pending' },
  'second-look': { by: ['admin'], from: ['passed'], to: 'same' },
  renew: { by: anybody, from: ['passed'], to: 'same' },
  sell: { by: anybody, from: ['pending', 'passed', 'failed', 'sold'], to: 'same' },
  withdraw: { by: anybody, from: ['draft', 'pending', 'passed', 'failed'], to: 'withdrawn' },
  relist: { by: anybody, from: ['withdrawn', 'sold'], to: 'verdict' },
}

export interface Lived {
  state: ListingState
  isSold: boolean
  stock: number
  sellerId: number
  /** Who typed it in: an admin, for a seller who cannot. */
  createdById: number
  /** The admin who has edited it since the last verdict. */
  editorId: number | null
}

export const lifeStateOf = (listing: Pick<Lived, 'state' | 'isSold' | 'stock'>): LifeState =>
  // A draft or withdrawn listing keeps that state: only a listing that was public counts as sold.
  listing.state !== 'draft' && listing.state !== 'withdrawn' && isSold(listing) ? 'sold' : listing.state

/** `verdictHolds`: the last verdict was "passed" and the animal has not been described again since. */
export function stateAfter(step: Step, from: ListingState, verdictHolds = false): ListingState {
  const { to } = life[step]
  if (to === 'same') return from
  return to === 'verdict' ? (verdictHolds ? 'passed' : 'pending') : to
}

/** What makes it another animal to look at. A difference in weight below this share is growth, or another pair of scales. */
const MATERIAL_WEIGHT_SHARE = 0.1

export interface AnimalFacts {
  categoryId: number
  breedId: number | null
  genderId: number | null
  ageId: number | null
  /** Before: as of the last description, not of the last edit. */
  weightKg: number
  /** Hex of the tag's keyed hash; null without one. */
  tag: string | null
  /** Media keys in order. */
  photos: readonly string[]
}

/** decisions.md §3: photos, breed, sex, age, weight by more than 10 %, tag. Price, stock and words are not material. */
export function isMaterialChange(before: AnimalFacts, after: AnimalFacts): boolean {
  const isOther = (['categoryId', 'breedId', 'genderId', 'ageId', 'tag'] as const).some((fact) => before[fact] !== after[fact])
  // Removing a picture shows nothing new; neither does a new order.
  const hasNewPhoto = after.photos.some((key) => !before.photos.includes(key))
  return isOther || hasNewPhoto || isOtherWeight(before.weightKg, after.weightKg)
}

/** 0 is "not weighed": weighing for the first time says something new. */
const isOtherWeight = (before: number, after: number) =>
  before === 0 || after === 0 ? before !== after : Math.abs(after - before) > before * MATERIAL_WEIGHT_SHARE
