import { createHash } from 'node:crypto'
import { and, asc, eq, sql } from 'drizzle-orm'
import { audit } from '#src/kit/db/audit.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { once } from '#src/kit/db/idempotency.server.ts'
import type { MediaStore } from '#src/kit/media/media-store.server.ts'
import { notFound, Problem } from '#src/kit/problem.ts'
import { withPictures } from '#src/kit/media/take-picture.server.ts'
import { typedFacts } from '#src/listings/fields/shown-facts.ts'
import { can } from '#src/listings/policy.ts'
import { isMaterialChange, lifeStateOf, type LifeState, type Step } from '#src/listings/life.ts'
import type { ListingFacts } from '#src/listings/listing-input.ts'
import { MAX_PHOTOS } from '#src/listings/listing-questions.ts'
import { wildlifeNamed } from '#src/listings/prohibited.ts'
import { plainRupees } from '#src/listings/schemas.ts'
import { listings, vaccinations } from '#src/listings/tables.ts'
import { holdPickup, insertVaccinations, isTagOf, tagColumns, wordColumns } from '#src/listings/write-listing.server.ts'
import type { Typed } from '#src/selling/form/draft-fields.ts'
import { lockDraft, takeDraft } from '#src/selling/form/drafts.server.ts'
import { lockOwnListing, type ListingRow } from '#src/selling/own/own-listings-lock.server.ts'
import { insertPhotos, listPhotos, orderPhotos, requireStep, stepColumns, type ListingPhoto } from '#src/selling/photos/photos.server.ts'
import type { Clip } from '#src/listings/product-rows.server.ts'
import { captionFields } from '#src/selling/clips/captions.ts'
import { editFormOf, listClips, listWaitingClips, settleClips, type ClipsChange } from '#src/selling/clips/waiting-clips.server.ts'
import { noteChangedWords } from '#src/verification/second-looks.server.ts'
import { dropUnusedPictures } from './used-pictures.server.ts'

/** A listing as it prefills its edit form. */
interface EditedListing {
  id: number
  sellerId: number
  name: string
  version: number
  life: LifeState
  /** False for a withdrawn or sold listing: it is listed again, not edited. */
  isOpen: boolean
  /** Why it failed, in the admin's words. */
  comment: string | null
  hasTag: boolean
  typed: Typed
  photos: ListingPhoto[]
  clips: Clip[]
  /** Those that wait for the change to be saved. */
  newClips: Clip[]
}

/** The viewer's own listing, or anybody's for an admin; else NOT_FOUND. */
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
    originalPrice: plainRupees(row.originalPrice),
    ...(row.offerPrice !== null && { offerPrice: plainRupees(row.offerPrice) }),
    version: String(row.version),
    // The seller stated both when they listed it.
    isOldEnough: '1',
    isAllowed: '1',
    ...Object.fromEntries(rows),
  }
}

const typedCaptions = (clips: Clip[]): Typed =>
  Object.fromEntries(clips.flatMap(({ kind, caption }, n) => (kind === 'video' && caption !== '' ? [[captionFields[n]!, caption]] : [])))

export interface ListingChange {
  /** The version that was shown: VERSION when another one has been saved since. */
  version: number
  pickupAddressId: number
  facts: ListingFacts
  /** Without a new tag the old one stays, unless it is to be removed. */
  isTagGone: boolean
  /** The remaining pictures, in order. */
  keep: number[]
  files: Buffer[]
  /** Left out, nothing is said of clips. */
  clips?: Omit<ClipsChange, 'form'>
}

/**
 * Saves an edited listing. A material change brings it back into the verification queue and out of lists and carts (decisions.md §3); it
 * also resubmits a failed listing, and submits a draft with its first picture. NOT_FOUND, LISTING_STEP, VERSION, VALIDATION of `pickup` or
 * `image`, TOO_MANY_IMAGES. Answers whether it is to be verified now.
 */
export async function editListing(ctx: Ctx, media: MediaStore, id: number, change: ListingChange): Promise<{ isChecked: boolean }> {
  const before = await getEditedListing(ctx, id)
  if (!before.isOpen) throw new Problem('LISTING_STEP')
  if (change.keep.length + change.files.length > MAX_PHOTOS) throw new Problem('TOO_MANY_IMAGES')
  const { gone, isChecked } = await withPictures(ctx, media, change.files, 'image', (pictures) =>
    savedOnce(ctx, id, change, async (ctx) => {
      await lockDraft(ctx)
      const listing = await lockOwnListing(ctx, id)
      if (listing.version !== change.version) throw new Problem('VERSION')
      const photos = await listPhotos(ctx, id)
      const kept = change.keep.flatMap((photoId) => photos.find((photo) => photo.id === photoId) ?? [])
      const keys = [...kept.map(({ key }) => key), ...pictures.map(({ mediaKey }) => mediaKey)]
      if (keys.length === 0) throw new Problem('VALIDATION', { fields: [{ field: 'image', message: 'field_listing_photo' }] })
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
      if (!place && listing.pickupAddressId !== change.pickupAddressId)
        throw new Problem('VALIDATION', { fields: [{ field: 'pickup', message: 'field_listing_pickup' }] })
      // An English translation of the old words does not fit new words.
      const english = {
        nameEn: facts.name === listing.name ? listing.nameEn : null,
        descriptionEn: facts.description === listing.description ? listing.descriptionEn : null,
      }
      const columns = { ...facts, ...tagged, ...english, ...place, pickupAddressId: change.pickupAddressId }
      await ctx.db
        .update(listings)
        .set({
          ...columns,
          ...stepColumns(ctx, listing, step, facts.weightKg),
          // An unverified listing counts as offered for the first time.
          ...(listing.state !== 'passed' && { firstStock: facts.stock }),
          ...wordColumns({ ...listing, ...columns }),
        } as typeof listings.$inferInsert)
        .where(eq(listings.id, id))
      await orderPhotos(
        ctx,
        id,
        kept.map((photo) => photo.id),
      )
      await insertPhotos(ctx, id, pictures, kept.length)
      await ctx.db.delete(vaccinations).where(eq(vaccinations.listingId, id))
      await insertVaccinations(ctx, id, given)
      await takeDraft(ctx, id)
      await noteChangedWords(ctx, listing, { ...facts, isStillPassed: listing.state === 'passed' && step === 'edit' })
      await audit(ctx, 'sensitive_update', `listing:${id}`, { step })
      const gone = photos.filter(({ key }) => !keys.includes(key)).map(({ key }) => key)
      return { gone: [...gone, ...clips.files], isChecked: step !== 'edit' }
    }),
  )
  await dropUnusedPictures(ctx, media, gone)
  return { isChecked }
}

/**
 * The same change to the same version is one change: a phone that has not heard our answer sends it again, perhaps days later (decision
 * 0071). One with new pictures is sent by its page alone.
 */
function savedOnce<T>(ctx: Ctx, id: number, change: ListingChange, save: (ctx: Ctx) => Promise<T>): Promise<T> {
  if (change.files.length > 0 || !ctx.viewer) return inTransaction(ctx, save)
  const request = JSON.stringify({ ...change, files: [] }, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))
  const key = `${id}-${createHash('sha256').update(request).digest('hex')}`
  return once(ctx, { owner: `user:${ctx.viewer.id}|edit`, key, request }, save)
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

/** An admin looks at new words that name a wild animal before anybody else reads them. */
function namesNewWildlife(before: ListingRow, after: Pick<ListingFacts, 'name' | 'description' | 'categoryId'>): boolean {
  const known = wildlifeNamed(`${before.name} ${before.description}`, before.categoryId)
  return wildlifeNamed(`${after.name} ${after.description}`, after.categoryId).some((word) => !known.includes(word))
}
