import { eq } from 'drizzle-orm'
import { can, requireCan, requireLoggedIn } from '#src/accounts/policy.ts'
import { findSeller, requireSeller, type Seller } from '#src/accounts/people/sellers.server.ts'
import { users } from '#src/accounts/tables.ts'
import { audit } from '#src/kit/records/audit.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { once } from '#src/kit/records/idempotency.server.ts'
import { notFound, Problem, invalidField } from '#src/kit/base/problem.ts'
import type { ListingFacts } from '#src/listings/write/listing-input.ts'
import { addListing, holdPickup } from '#src/listings/write/write-listing.server.ts'
import type { StoredPicture } from '#src/kit/uploads/take-picture.server.ts'
import { settleClips } from '#src/selling/unsent/waiting-clips.server.ts'
import { askOwner } from '#src/selling/owners/consents.server.ts'
import type { OwnerTerms } from '#src/selling/owners/terms.ts'
import { lockDraft, sendingOwner, takeDraft } from '#src/selling/unsent/drafts.server.ts'
import { notifyOfNewListing } from './new-listing.server.ts'

/** A filled form that can become a listing. */
export interface ReadSale {
  key: string
  sale: Sale
  captions: string[]
}

export interface Sale {
  /** The viewer, or for an admin the seller for whom they list. */
  sellerId: number
  pickupAddressId: number
  facts: ListingFacts
  /** For whom an agent lists; without one it is the seller's own animal. */
  owner?: OwnerTerms | null
  /** The file that will be the draft's photo. */
  photoName?: string | null
}

/**
 * Checks that the viewer may list for this person. IDENTITY_MISMATCH for a viewer who is no admin, NOT_FOUND for a person who sells nothing
 * (any more).
 */
export async function requireMayListFor(ctx: Ctx, sellerId: number): Promise<void> {
  requireCan(ctx, 'sell')
  if (!can(ctx.viewer, 'operate')) {
    if (requireLoggedIn(ctx).id !== sellerId) throw new Problem('IDENTITY_MISMATCH')
    return
  }
  await requireSeller(ctx, sellerId)
}

/** By the whole number, for admins who list for somebody; null when no seller has it. */
export async function findSellerByPhone(ctx: Ctx, phone: string): Promise<Seller | null> {
  if (!can(ctx.viewer, 'operate')) throw notFound()
  const found = await findSeller(ctx, eq(users.phone, phone))
  if (found) await audit(ctx, 'sensitive_read', `user:${found.id}`, { what: 'seller-by-phone' })
  return found
}

/** The seller whom an admin has chosen already. */
export async function findSellerById(ctx: Ctx, id: number): Promise<Seller | null> {
  if (!can(ctx.viewer, 'operate')) throw notFound()
  return findSeller(ctx, eq(users.id, id))
}

/** Whether this address is in the seller's book. */
export const hasPickup = async (ctx: Ctx, sellerId: number, addressId: number): Promise<boolean> =>
  (await holdPickup(ctx, sellerId, addressId)) !== null

/**
 * Makes a listing of the form, the pictures in the viewer's draft and the clips of the form, and removes the draft: all in one transaction. The form carries an
 * idempotency key: submitted twice, or once more because the answer was lost, it answers the existing listing. With other facts it is
 * another animal: IDEMPOTENCY_MISMATCH. A listing begun for an enquiry answers it. VALIDATION without a picture, or when the pickup address
 * is not the seller's.
 */
export const sendDraft = (ctx: Ctx, key: string, sale: Sale, enquiryId?: string, captions: readonly string[] = []): Promise<number> =>
  sendOnce(ctx, key, sale, { enquiryId, captions, takePhotos: takeDraft })

interface Sending {
  enquiryId: string | undefined
  /** The captions of the videos that wait under the form's key. */
  captions: readonly string[]
  /** Under `lockDraft`: the pictures that become the listing's. */
  takePhotos: (ctx: Ctx) => Promise<StoredPicture[]>
}

/** As `sendDraft`, with pictures from elsewhere (later/waiting.server.ts). */
export async function sendOnce(
  ctx: Ctx,
  key: string,
  { sellerId, pickupAddressId, facts, owner = null }: Sale,
  { enquiryId, captions, takePhotos }: Sending,
): Promise<number> {
  await requireMayListFor(ctx, sellerId)
  return once(
    ctx,
    { owner: sendingOwner(ctx), key, request: hashed({ sellerId, pickupAddressId, facts, ...(owner && { owner }) }) },
    async (ctx) => {
      await lockDraft(ctx)
      const photos = await takePhotos(ctx)
      if (photos.length === 0) throw invalidField('image', 'field_listing_photo')
      const id = await addSale(ctx, { sellerId, pickupAddressId, facts, owner }, photos)
      await settleClips(ctx, id, { form: key, gone: [], captions })
      await noteCreation(ctx, id, sellerId)
      await notifyOfNewListing(ctx, enquiryId, id)
      return id
    },
  )
}

/** The listing, and the question to its owner. */
async function addSale(ctx: Ctx, { owner = null, ...sale }: Sale, photos: StoredPicture[]): Promise<number> {
  const id = await addListing(ctx, { ...sale, photos, ownerName: owner?.name ?? null })
  const { name, originalPrice, offerPrice } = sale.facts
  if (owner) await askOwner(ctx, { id, sellerId: sale.sellerId, name, price: offerPrice ?? originalPrice }, owner)
  return id
}

/** Prices are no JSON. */
const hashed = (sale: Sale) => JSON.stringify(sale, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))

/** For API clients: without pictures, so it is a draft until the first has come (photos.server.ts). */
export async function createListing(ctx: Ctx, sale: Sale): Promise<number> {
  const id = await addSale(ctx, sale, [])
  await noteCreation(ctx, id, sale.sellerId)
  return id
}

async function noteCreation(ctx: Ctx, id: number, sellerId: number): Promise<void> {
  await audit(ctx, 'sensitive_create', `listing:${id}`, { sellerId })
}
