import { isSold } from './rules.ts'

/**
 * The life of a listing as one table: who may take which step (policy.ts) from which state, and the next state. Any other step gives LISTING_STEP. A
 * sold listing (marked as sold, or without stock) has its own state here, whatever the column says.
 */
export const LISTING_STATES = ['draft', 'pending', 'passed', 'failed', 'withdrawn'] as const
export type ListingState = (typeof LISTING_STATES)[number]
export type LifeState = ListingState | 'sold'

export type Step =
  /** The pictures are uploaded: sends the listing to the verification queue. */
  | 'submit'
  | 'pass'
  /** Also takes down a passed listing. */
  | 'fail'
  /** A change of stock, weight, price or texts. This also resubmits a failed listing. */
  | 'edit'
  /** A change that makes it another animal (isMaterialChange), so an admin must verify it again. */
  | 'edit-animal'
  /** An admin decides about texts that changed after the listing passed (verification/second-looks.server.ts). */
  | 'second-look'
  /** "Still for sale": restarts the hundred days. */
  | 'renew'
  | 'sell'
  | 'withdraw'
  /** Brings back a withdrawn or sold listing. */
  | 'relist'
  /** The owner agrees to a listing that an agent made for them (selling/owners). */
  | 'agree'

export type Actor = 'owner' | 'admin'

interface Rule {
  by: readonly Actor[]
  from: readonly LifeState[]
  /** `same`: the state stays. `verdict`: passed if the last verdict still holds for this animal, else pending. */
  to: ListingState | 'same' | 'verdict'
}

const ownerOrAdmin = ['owner', 'admin'] as const

export const life: Record<Step, Rule> = {
  submit: { by: ownerOrAdmin, from: ['draft'], to: 'pending' },
  pass: { by: ['admin'], from: ['pending', 'failed'], to: 'passed' },
  // An admin can take down a withdrawn listing too.
  fail: { by: ['admin'], from: ['pending', 'passed', 'sold', 'withdrawn'], to: 'failed' },
  edit: { by: ownerOrAdmin, from: ['draft', 'pending', 'passed'], to: 'same' },
  'edit-animal': { by: ownerOrAdmin, from: ['pending', 'passed', 'failed'], to: 'pending' },
  'second-look': { by: ['admin'], from: ['passed'], to: 'same' },
  renew: { by: ownerOrAdmin, from: ['passed'], to: 'same' },
  sell: { by: ownerOrAdmin, from: ['pending', 'passed', 'failed', 'sold'], to: 'same' },
  withdraw: { by: ownerOrAdmin, from: ['draft', 'pending', 'passed', 'failed'], to: 'withdrawn' },
  relist: { by: ownerOrAdmin, from: ['withdrawn', 'sold'], to: 'verdict' },
  // No user type: the owner's code authorizes this step.
  agree: { by: [], from: ['draft'], to: 'verdict' },
}

export interface Lived {
  state: ListingState
  isSold: boolean
  stock: number
  sellerId: number
  /** The user who typed it in: the seller, or an admin for a seller who cannot. */
  createdById: number
  /** The admin who has edited it since the last verdict. */
  editorId: number | null
}

export const lifeStateOf = (listing: Pick<Lived, 'state' | 'isSold' | 'stock'>): LifeState =>
  // A draft or withdrawn listing keeps that state, because only a listing that was public counts as sold.
  listing.state !== 'draft' && listing.state !== 'withdrawn' && isSold(listing) ? 'sold' : listing.state

/** `verdictHolds`: the last verdict was "passed" and the animal's description has not changed materially since. */
export function stateAfter(step: Step, from: ListingState, verdictHolds = false): ListingState {
  const { to } = life[step]
  if (to === 'same') return from
  return to === 'verdict' ? (verdictHolds ? 'passed' : 'pending') : to
}

/** A listing whose owner has not agreed stays a draft after any verdict, so nobody sees it or can buy it. */
export const heldBack = (state: ListingState, { ownerAgreed }: { ownerAgreed: boolean | null }): ListingState =>
  ownerAgreed === false && (state === 'pending' || state === 'passed') ? 'draft' : state

/** A smaller difference in weight is growth or a different scale. */
const MATERIAL_WEIGHT_SHARE = 0.1

export interface AnimalFacts {
  categoryId: number
  breedId: number | null
  genderId: number | null
  ageId: number | null
  /** In `before`: the weight of the last description, not of the last edit. */
  weightKg: number
  /** The tag's keyed hash in hex; null without a tag. */
  tag: string | null
  /** Media keys in order. */
  photos: readonly string[]
}

/** decisions.md §3: photos, breed, sex, age, weight by more than 10 %, tag. Price, stock and texts are not material. */
export function isMaterialChange(before: AnimalFacts, after: AnimalFacts): boolean {
  const isOther = (['categoryId', 'breedId', 'genderId', 'ageId', 'tag'] as const).some((fact) => before[fact] !== after[fact])
  // A removed picture or another order shows nothing new.
  const hasNewPhoto = after.photos.some((key) => !before.photos.includes(key))
  return isOther || hasNewPhoto || isOtherWeight(before.weightKg, after.weightKg)
}

/** 0 means "not weighed", so the first weighing is new information. */
const isOtherWeight = (before: number, after: number) =>
  before === 0 || after === 0 ? before !== after : Math.abs(after - before) > before * MATERIAL_WEIGHT_SHARE
