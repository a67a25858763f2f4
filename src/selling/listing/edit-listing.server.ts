import { createHash } from 'node:crypto'
import { and, asc, eq, sql } from 'drizzle-orm'
import { fieldRupees } from '#src/kit/time-money/money.ts'
import { audit } from '#src/kit/records/audit.server.ts'
import type { Ctx, Viewer } from '#src/kit/context.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { findAnswer, once } from '#src/kit/records/idempotency.server.ts'
import type { MediaStore } from '#src/kit/media/media-store.server.ts'
import type { StoredPicture } from '#src/kit/uploads/take-picture.server.ts'
import { notFound, Problem, invalidField } from '#src/kit/base/problem.ts'
import { typedFacts } from '#src/listings/fields/shown-facts.ts'
import { can } from '#src/listings/policy.ts'
import { isMaterialChange, lifeStateOf, type LifeState, type Step } from '#src/listings/life/life.ts'
import type { ListingFacts } from '#src/listings/write/listing-input.ts'
import { MAX_PHOTOS } from '#src/listings/fields/listing-questions.ts'
import { wildlifeNamed } from '#src/listings/write/prohibited.ts'
import { listings, vaccinations } from '#src/listings/tables.ts'
import { holdPickup, insertVaccinations, isTagOf, tagColumns, wordColumns } from '#src/listings/write/write-listing.server.ts'
import type { Typed } from '#src/selling/unsent/draft-fields.ts'
import { lockDraft, takeDraftPhotos } from '#src/selling/unsent/drafts.server.ts'
import { lockOwnListing, type ListingRow } from '../own-listings-lock.server.ts'
import { readRef } from '#src/selling/unsent/photo-refs.ts'
import { insertPhotos, listPhotos, orderPhotos, requireStep, stepColumns, type ListingPhoto } from '#src/selling/photos/photos.server.ts'
import type { Clip } from '#src/listings/product-rows.server.ts'
import { captionFields } from '../captions.ts'
import { editFormOf, listClips, listWaitingClips, settleClips, type ClipsChange } from '#src/selling/unsent/waiting-clips.server.ts'
import { askAgainFor } from '#src/selling/owners/consents.server.ts'
import { noteChangedWords } from '#src/verification/second-looks.server.ts'
import { dropUnusedPictures } from '#src/kit/uploads/used-pictures.server.ts'
import { usedByListings } from '../media.server.ts'

/** A listing with the values for its edit form. */
interface EditedListing {
  id: number
  sellerId: number
  /** The owner for whom an agent lists the animal. */
  ownerName: string | null
  name: string
  version: number
  life: LifeState
  /** False for a withdrawn or sold listing, which is relisted instead. */
  isOpen: boolean
  /** The admin's reason for the failed verdict. */
  comment: string | null
  hasTag: boolean
  typed: Typed
  photos: ListingPhoto[]
  clips: Clip[]
  /** Clips that wait for the form to be saved. */
  newClips: Clip[]
}

/** The viewer's own listing, or any listing for an admin; else NOT_FOUND. */
export async function getEditedListing(ctx: Ctx, id: number): Promise<EditedListing> {
  const isOwn = can(ctx.viewer, 'operate') ? sql`true` : eq(listings.sellerId, ctx.viewer?.id ?? 0)
  const [row] = await ctx.db
    .select()
    .from(listings)
    .where(and(eq(listings.id, id), isOwn))
  if (!row || !can(ctx.viewer, 'sell')) throw notFound()
  const given = await ctx.db.select().from(vaccinations).where(eq(vaccinations.listingId, id)).orderBy(asc(vaccinations.id))
  const clips = await listClips(ctx, id)
  return {
    id,
    sellerId: row.sellerId,
    ownerName: row.ownerName,
    name: row.name,
    version: row.version,
    life: lifeStateOf(row),
    isOpen: (['edit', 'edit-animal'] as const).some((step) => can(ctx.viewer, 'take-listing-step', { step, listing: row })),
    comment: row.state === 'failed' ? row.verificationComment : null,
    hasTag: row.tagMac !== null,
    typed: { ...typedOf(row, given), ...typedCaptions(clips) },
    photos: await listPhotos(ctx, id),
    clips,
    newClips: await listWaitingClips(ctx, editFormOf(id)),
  }
}

function typedOf(row: ListingRow, given: (typeof vaccinations.$inferSelect)[]): Typed {
  const numbers = {
    categoryId: row.categoryId,
    breedId: row.breedId,
    ageId: row.ageId,
    genderId: row.genderId,
    colorId: row.colorId,
    stock: row.stock,
    weightKg: row.weightKg,
    pickup: row.pickupAddressId,
  }
  const rows = given.flatMap((each, n) => [
    [`vaccine${n + 1}`, String(each.vaccineId)],
    [`dose${n + 1}`, String(each.dose)],
    [`vaccinated${n + 1}`, each.vaccinatedOn],
  ])
  return {
    ...Object.fromEntries(Object.entries(numbers).flatMap(([name, value]) => (value === null ? [] : [[name, String(value)]]))),
    ...typedFacts(row),
    name: row.name,
    description: row.description,
    originalPrice: fieldRupees(row.originalPrice),
    ...(row.offerPrice !== null && { offerPrice: fieldRupees(row.offerPrice) }),
    version: String(row.version),
    // The seller has confirmed both when they listed the animal.
    isOldEnough: '1',
    isAllowed: '1',
    ...Object.fromEntries(rows),
  }
}

const typedCaptions = (clips: Clip[]): Typed =>
  Object.fromEntries(clips.flatMap(({ kind, caption }, n) => (kind === 'video' && caption !== '' ? [[captionFields[n]!, caption]] : [])))

export interface ListingChange {
  /** Names the change: a repetition under the same name is the same change. Left out: its content names it. */
  name?: string
  /** The version that the form showed: VERSION when another one was saved since. */
  version: number
  pickupAddressId: number
  facts: ListingFacts
  /** True removes the tag; otherwise a missing tag keeps the old one. */
  isTagGone: boolean
  /** The photos of the changed listing in order, as references: its own that remain, and those of the viewer's draft of this change. */
  photos: string[]
  /** Left out: clips stay as they are. */
  clips?: Omit<ClipsChange, 'form'>
}

/**
 * Saves an edited listing. A material change sends it back to verification and removes it from lists and carts (decisions.md §3); any
 * change also resubmits a failed listing, and submits a draft with its first picture. NOT_FOUND, LISTING_STEP, VERSION, VALIDATION of
 * `pickup` or `image`, TOO_MANY_IMAGES. Returns whether the listing needs verification now.
 */
export async function editListing(ctx: Ctx, media: MediaStore, id: number, change: ListingChange): Promise<{ isChecked: boolean }> {
  const before = await getEditedListing(ctx, id)
  if (!before.isOpen) throw new Problem('LISTING_STEP')
  if (change.photos.length > MAX_PHOTOS) throw new Problem('TOO_MANY_IMAGES')
  const { gone, isChecked } = await savedOnce(ctx, id, change, async (ctx) => {
    await lockDraft(ctx)
    const listing = await lockOwnListing(ctx, id)
    if (listing.version !== change.version) throw new Problem('VERSION')
    const photos = await listPhotos(ctx, id)
    const { chosen, unused } = await choosePhotos(ctx, id, change.photos, photos)
    const keys = chosen.map(({ key }) => key)
    const { tag, vaccinations: given, ...facts } = change.facts
    const isSameTag = tag === null ? !change.isTagGone : isTagOf(ctx, listing.tagMac, tag)
    const tagged = isSameTag ? { tagSealed: listing.tagSealed, tagMac: listing.tagMac } : tagColumns(ctx, tag)
    const clips = change.clips ? await settleClips(ctx, id, { ...change.clips, form: editFormOf(id) }) : { files: [], isNew: false }
    const isOther = clips.isNew || isOtherAnimal(listing, photos, { ...facts, tagMac: tagged.tagMac, photos: keys })
    const isAgain = isOther || listing.state === 'failed' || namesNewWildlife(listing, facts)
    const step: Step = listing.state === 'draft' ? 'submit' : isAgain ? 'edit-animal' : 'edit'
    requireStep(ctx, listing, step)
    const place =
      listing.pickupAddressId === change.pickupAddressId ? null : await holdPickup(ctx, listing.sellerId, change.pickupAddressId)
    if (!place && listing.pickupAddressId !== change.pickupAddressId) throw invalidField('pickup', 'field_listing_pickup')
    const again = await askAgainFor(ctx, listing, { prices: facts })
    // The English translation belongs to the old words.
    const english = {
      nameEn: facts.name === listing.name ? listing.nameEn : null,
      descriptionEn: facts.description === listing.description ? listing.descriptionEn : null,
    }
    const columns = { ...facts, ...tagged, ...english, ...place, pickupAddressId: change.pickupAddressId }
    await ctx.db
      .update(listings)
      .set({
        ...columns,
        ...stepColumns(ctx, { ...listing, ...again }, step, facts.weightKg),
        ...(again && { ownerAgreed: false }),
        ...wordColumns({ ...listing, ...columns }),
      } as typeof listings.$inferInsert)
      .where(eq(listings.id, id))
    await putPhotos(ctx, id, chosen)
    await ctx.db.delete(vaccinations).where(eq(vaccinations.listingId, id))
    await insertVaccinations(ctx, id, given)
    await again?.ask()
    await noteChangedWords(ctx, listing, { ...facts, isStillPassed: listing.state === 'passed' && step === 'edit' })
    await audit(ctx, 'sensitive_update', `listing:${id}`, { step })
    const gone = photos.filter(({ key }) => !keys.includes(key)).map(({ key }) => key)
    return { gone: [...gone, ...unused, ...clips.files], isChecked: step !== 'edit' }
  })
  await dropUnusedPictures(ctx, media, usedByListings, gone)
  return { isChecked }
}

/** A photo of the changed listing: it has it already, or a stored picture becomes it. */
type ChosenPhoto = { key: string } & ({ id: number } | { picture: StoredPicture })

/**
 * Ends the viewer's draft of this change. `unused`: files of its photos that the change does not name. VALIDATION without a photo; VERSION
 * when the change names a draft photo that is not there any more: it was saved or discarded elsewhere.
 */
async function choosePhotos(
  ctx: Ctx,
  id: number,
  refs: string[],
  own: ListingPhoto[],
): Promise<{ chosen: ChosenPhoto[]; unused: string[] }> {
  const drafted = await takeDraftPhotos(ctx, id)
  const chosen = refs.flatMap((ref): ChosenPhoto[] => {
    const named = readRef(ref)
    if (named?.isListed) return own.filter((photo) => photo.id === named.id)
    const found = drafted.find((photo) => photo.id === named?.id)
    if (!found) throw new Problem('VERSION')
    return [{ key: found.picture.mediaKey, picture: found.picture }]
  })
  if (chosen.length === 0) throw invalidField('image', 'field_listing_photo')
  const keys = new Set(chosen.map(({ key }) => key))
  return { chosen, unused: drafted.map(({ picture }) => picture.mediaKey).filter((key) => !keys.has(key)) }
}

/** Gives the listing exactly these photos, in this order. */
async function putPhotos(ctx: Ctx, id: number, chosen: ChosenPhoto[]): Promise<void> {
  const kept = chosen.flatMap((photo) => ('id' in photo ? [photo.id] : []))
  await orderPhotos(ctx, id, kept)
  const pictures = chosen.flatMap((photo) => ('picture' in photo ? [photo.picture] : []))
  await insertPhotos(ctx, id, pictures, kept.length)
  const idOf = new Map((await listPhotos(ctx, id)).map((photo) => [photo.key, photo.id]))
  await orderPhotos(
    ctx,
    id,
    chosen.map(({ key }) => idOf.get(key)!),
  )
}

/** The same change to the same version is one change: a phone that has not heard our answer sends it again, perhaps days later (decision 0071). */
function savedOnce<T>(ctx: Ctx, id: number, change: ListingChange, save: (ctx: Ctx) => Promise<T>): Promise<T> {
  if (!ctx.viewer) return inTransaction(ctx, save)
  const content = () => JSON.stringify(change, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))
  const name = change.name ?? createHash('sha256').update(content()).digest('hex')
  return once(ctx, { ...changeNamed(ctx.viewer, id, name), request: name }, save)
}

const changeNamed = (viewer: Viewer, id: number, name: string) => ({ owner: `user:${viewer.id}|edit`, key: `${id}-${name}` })

/** The outcome of the viewer's change with this name, if it was saved before. */
export async function findSavedChange(ctx: Ctx, id: number, name: string): Promise<{ isChecked: boolean } | null> {
  return ctx.viewer && ((await findAnswer(ctx, changeNamed(ctx.viewer, id, name))) as { isChecked: boolean } | null)
}

type Described = Pick<ListingFacts, 'categoryId' | 'breedId' | 'genderId' | 'ageId' | 'weightKg'>

function isOtherAnimal(
  before: ListingRow,
  photos: { key: string }[],
  { tagMac, ...after }: Described & { tagMac: Buffer | null; photos: string[] },
): boolean {
  const tagOf = (mac: Buffer | null) => mac?.toString('hex') ?? null
  return isMaterialChange(
    { ...before, weightKg: before.describedWeightKg, tag: tagOf(before.tagMac), photos: photos.map(({ key }) => key) },
    { ...after, tag: tagOf(tagMac) },
  )
}

/** Whether the new words name a wild animal; then an admin reads them before they are public. */
function namesNewWildlife(before: ListingRow, after: Pick<ListingFacts, 'name' | 'description' | 'categoryId'>): boolean {
  const known = wildlifeNamed(`${before.name} ${before.description}`, before.categoryId)
  return wildlifeNamed(`${after.name} ${after.description}`, after.categoryId).some((word) => !known.includes(word))
}
