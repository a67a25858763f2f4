import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { and, eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { mayNot, requireCan, requireLoggedIn } from '#src/accounts/policy.ts'
import { audit } from '#src/kit/records/audit.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import type { MediaStore } from '#src/kit/media/media-store.server.ts'
import { notFound, Problem, invalidField } from '#src/kit/base/problem.ts'
import type { RateLimits } from '#src/kit/db/rate-limits.server.ts'
import { countRow, oneRowOf, rowsOf } from '#src/kit/db/rows.server.ts'
import { cardColumns, cardPhoto, cardRow, isLive, isSellerActive, toCard, type ListingCard } from '#src/listings/browse/browse.server.ts'
import { lookups, nameOrNull } from '#src/listings/reference/lookups.server.ts'
import { availabilityOf } from '#src/listings/life/rules.ts'
import { listings } from '#src/listings/tables.ts'
import type { Typed } from '#src/selling/unsent/draft-fields.ts'
import { findDraft, removeDraftPhoto, saveDraft } from '#src/selling/unsent/drafts.server.ts'
import { nameIn } from '#src/listings/fields/name-in.server.ts'
import { isPosterActive, lockEnquiry, lockSeen } from './commands.server.ts'
import { getEnquiry, type Enquiry } from './queries.server.ts'
import { can, isOwnEnquiry } from './policy.ts'
import { isOpen, OFFERS_PER_SELLER } from './rules.ts'
import { notifyOffersOf } from './notifications.server.ts'
import { enquiryOffers } from './tables.ts'

/** Whether a listing fits the enquiry: a cow is no answer to an enquiry for hens. */
export const fits = (listing: { categoryId: number }, enquiry: { categoryTypeId: number; categoryId: number | null }) =>
  enquiry.categoryId === null
    ? lookups.category(listing.categoryId).typeId === enquiry.categoryTypeId
    : listing.categoryId === enquiry.categoryId

/**
 * Offers one's own listing; idempotent. The poster is notified when it is public: at once, or once it has passed. Raises NOT_FOUND for
 * another's listing, OWN_ENQUIRY, ENQUIRY_STEP when the enquiry is not open, and VALIDATION of `listing` when it does not fit, is not for
 * sale, or exceeds the limit.
 */
export async function respondToEnquiry(ctx: Ctx, enquiryId: number, listingId: number): Promise<void> {
  await inTransaction(ctx, async (ctx) => {
    const enquiry = await lockSeen(ctx, enquiryId)
    const viewer = requireLoggedIn(ctx)
    if (!can(viewer, 'sell')) throw mayNot(viewer, 'sell')
    if (isOwnEnquiry(viewer, enquiry)) throw new Problem('OWN_ENQUIRY')
    const [listing] = await ctx.db
      .select()
      .from(listings)
      .where(and(eq(listings.id, listingId), eq(listings.sellerId, viewer.id)))
      .for('share')
    if (!listing) throw notFound()
    const offered = and(eq(enquiryOffers.enquiryId, enquiryId), eq(enquiryOffers.listingId, listingId))
    if ((await ctx.db.$count(enquiryOffers, offered)) > 0) return
    if (!isOpen(enquiry, ctx.now)) throw new Problem('ENQUIRY_STEP')
    const isOffered = (listing.state === 'passed' || listing.state === 'pending') && availabilityOf(listing, ctx.now) === 'available'
    if (!isOffered || !fits(listing, enquiry)) throw wrongListing('field_enquiry_listing')
    if (await hasOfferedEnough(ctx, enquiryId, viewer.id)) throw wrongListing('field_enquiry_offers')
    await ctx.db.insert(enquiryOffers).values({ enquiryId, listingId, createdAt: ctx.now })
    await notifyOffersOf(ctx, enquiry)
  })
}

/**
 * Withdraws the offer of one's own listing while the viewer may see the enquiry, otherwise NOT_FOUND. Idempotent. The poster is not
 * notified: the offer disappears from their table.
 */
export async function takeOfferBack(ctx: Ctx, limits: RateLimits, enquiryId: number, listingId: number): Promise<void> {
  const viewer = requireLoggedIn(ctx)
  await limits.takeDurable(ctx.db, 'takeBackDay', String(viewer.id))
  await inTransaction(ctx, async (ctx) => {
    await lockSeen(ctx, enquiryId)
    const [listing] = await ctx.db
      .select({ id: listings.id })
      .from(listings)
      .where(and(eq(listings.id, listingId), eq(listings.sellerId, viewer.id)))
    if (!listing) throw notFound()
    const gone = await ctx.db
      .delete(enquiryOffers)
      .where(and(eq(enquiryOffers.enquiryId, enquiryId), eq(enquiryOffers.listingId, listingId)))
      .returning({ id: enquiryOffers.id })
    if (gone.length > 0) await audit(ctx, 'enquiry_offer_taken_back', `enquiry:${enquiryId}`, { listing: listingId })
  })
}

/** Call it in a transaction that holds the enquiry's row lock. */
async function hasOfferedEnough(ctx: Ctx, enquiryId: number, sellerId: number): Promise<boolean> {
  const row = await oneRowOf(
    ctx,
    sql`
    select count(*)::int as count from enquiry_offers o join listings l on l.id = o.listing_id
    where o.enquiry_id = ${enquiryId}::bigint and l.seller_id = ${sellerId}::bigint`,
    countRow,
  )
  return row.count >= OFFERS_PER_SELLER
}

const wrongListing = (message: string) => invalidField('listing', message)

/**
 * Links a listing that was begun for an enquiry, in the transaction that creates it (selling/listing/new-listing.server.ts). If it cannot be
 * linked (the enquiry is closed, the animal is of another kind, the limit is reached, or an admin lists for somebody else), it is created
 * without the link.
 */
export async function answerWithNew(ctx: Ctx, enquiryId: number, listingId: number): Promise<void> {
  const [listing] = await ctx.db.select().from(listings).where(eq(listings.id, listingId))
  const enquiry = await lockEnquiry(ctx, enquiryId).catch((error: unknown) => {
    if (error instanceof Problem) return null
    throw error
  })
  if (!listing || !enquiry || !isOpen(enquiry, ctx.now) || enquiry.posterId === listing.sellerId || !fits(listing, enquiry)) return
  if (!(await isPosterActive(ctx, enquiry)) || (await hasOfferedEnough(ctx, enquiryId, listing.sellerId))) return
  await ctx.db.insert(enquiryOffers).values({ enquiryId, listingId, createdAt: ctx.now }).onConflictDoNothing()
}

/** A longer list is too long to choose from. */
const CHOICES_SHOWN = 60

const choiceRow = z.object({ id: z.number(), name: z.string(), isPending: z.boolean(), isOffered: z.boolean() })

/** Listings of the wanted kind, as `fits`. */
const kindOf = ({ categoryId, categoryTypeId }: Enquiry) =>
  categoryId === null
    ? sql`l.category_id in (select c.id from categories c where c.type_id = ${categoryTypeId}::smallint)`
    : sql`l.category_id = ${categoryId}::smallint`

/** The viewer's listings that could answer, and those that do: those of the wanted sex and breed first. */
export async function listOwnChoices(ctx: Ctx, enquiry: Enquiry): Promise<z.output<typeof choiceRow>[]> {
  return rowsOf(
    ctx,
    sql`
    select l.id::int as id, ${nameIn(ctx.locale)} as name, l.state = 'pending' as "isPending",
      exists (select 1 from enquiry_offers o where o.enquiry_id = ${enquiry.id}::bigint and o.listing_id = l.id) as "isOffered"
    from listings l where l.seller_id = ${ctx.viewer?.id ?? 0}::bigint and ${kindOf(enquiry)}
      and ((${isLive(ctx.now)}) or (l.state = 'pending' and not l.is_sold and l.stock > 0))
    order by (l.gender_id = ${enquiry.genderId}::smallint) is not false desc,
      (l.breed_id = ${enquiry.breedId}::smallint) is true desc, l.id desc limit ${CHOICES_SHOWN}`,
    choiceRow,
  )
}

/** How many of the viewer's listings would fit, but are sold and answer nothing; the tab Soldout of the own listings shows them. */
export async function countSoldChoices(ctx: Ctx, enquiry: Enquiry): Promise<number> {
  const row = await oneRowOf(
    ctx,
    sql`
    select count(*)::int as count from listings l
    where l.seller_id = ${ctx.viewer?.id ?? 0}::bigint and ${kindOf(enquiry)} and l.state = 'passed' and (l.is_sold or l.stock = 0)`,
    countRow,
  )
  return row.count
}

export interface Offer {
  card: ListingCard
  color: string | null
  milkLitresPerDay: number | null
  seller: { id: number; name: string; phone: string; isVerified: boolean }
}

/** A side-by-side comparison has no room for more; the newest are shown. */
const OFFERS_SHOWN = 12

export interface Offers {
  shown: Offer[]
  count: number
  /** The number of offers that are not public yet. */
  waiting: number
}

/** The offers: for the poster and admins, else NOT_FOUND. Best first: the requested breed, then the nearest. */
export async function listOffers(ctx: Ctx, enquiryId: number): Promise<Offers> {
  const enquiry = await getEnquiry(ctx, enquiryId)
  if (!can(ctx.viewer, 'see-offers', enquiry)) throw notFound()
  const rows = await rowsOf(
    ctx,
    sql`
    select ${cardColumns(ctx)}, l.color_id as "colorId", l.seller_id::int as "sellerId", ${isLive(ctx.now)} as "isPublic",
      (select json_build_object('name', u.name, 'phone', u.phone) from users u where u.id = l.seller_id) as seller
    from enquiry_offers o join listings l on l.id = o.listing_id ${cardPhoto}
    where o.enquiry_id = ${enquiryId}::bigint and ((${isLive(ctx.now)}) or (l.state = 'pending' and not l.is_sold and l.stock > 0 and ${isSellerActive}))
    order by o.id desc`,
    offerRow,
  )
  const offers = rows.filter((row) => row.isPublic).map((row) => toOffer(ctx, row, enquiry))
  const isBreed = (row: Offer) => (enquiry.breedId !== null && row.card.breed === lookups.breed(enquiry.breedId)[ctx.locale] ? 0 : 1)
  const far = ({ card }: Offer) => card.kilometres ?? Infinity
  return {
    shown: offers.toSorted((a, b) => isBreed(a) - isBreed(b) || (far(a) < far(b) ? -1 : far(a) > far(b) ? 1 : 0)).slice(0, OFFERS_SHOWN),
    count: offers.length,
    waiting: rows.length - offers.length,
  }
}

const offerRow = cardRow.extend({
  colorId: z.number().nullable(),
  sellerId: z.number(),
  isPublic: z.boolean(),
  seller: z.object({ name: z.string(), phone: z.string() }),
})
type OfferRow = z.output<typeof offerRow>

function toOffer(ctx: Ctx, row: OfferRow, { point }: Enquiry): Offer {
  const card = toCard(ctx, row, point)
  return {
    card,
    color: nameOrNull(lookups.color, row.colorId, ctx.locale),
    milkLitresPerDay: row.milkLitres,
    seller: { ...row.seller, id: row.sellerId, isVerified: row.sellerVerified },
  }
}

/** Whether the sell form holds another draft. What we filled in for an enquiry is none until the seller changes it. */
export async function hasOtherDraft(ctx: Ctx, enquiryId: number): Promise<boolean> {
  const draft = await findDraft(ctx)
  if (!draft || draft.typed.enquiryId === String(enquiryId)) return false
  if (draft.photos.length > 0) return true
  const { key: _, stock: __, ...typed } = draft.typed
  if (typed.enquiryId === undefined) return Object.keys(typed).length > 0
  const other = await getEnquiry(ctx, Number(typed.enquiryId)).catch((problem: unknown) => {
    if (problem instanceof Problem && problem.code === 'NOT_FOUND') return null
    throw problem
  })
  if (!other) return true
  const { key: ___, stock: ____, ...filled } = prefilled(other)
  return !isDeepStrictEqual(typed, filled)
}

/**
 * Prefills the sell form from the enquiry. Continues a draft begun for it before; replaces another draft only with `isAnew`, otherwise
 * raises VERSION. Raises NOT_FOUND, ROLE_FORBIDDEN, OWN_ENQUIRY, ENQUIRY_STEP.
 */
export async function beginListing(ctx: Ctx, media: MediaStore, enquiryId: number, { isAnew }: { isAnew: boolean }): Promise<void> {
  const enquiry = await getEnquiry(ctx, enquiryId)
  requireCan(ctx, 'sell')
  if (isOwnEnquiry(ctx.viewer, enquiry)) throw new Problem('OWN_ENQUIRY')
  if (!isOpen(enquiry, ctx.now)) throw new Problem('ENQUIRY_STEP')
  const draft = await findDraft(ctx)
  if (draft?.typed.enquiryId === String(enquiryId)) return
  if (!isAnew && (await hasOtherDraft(ctx, enquiryId))) throw new Problem('VERSION')
  // One by one, so that the draft's version increases: an older copy on the phone must not win over this one.
  for (const photo of draft?.photos ?? []) await removeDraftPhoto(ctx, media, photo.id)
  await saveDraft(ctx, { typed: prefilled(enquiry), version: null })
}

function prefilled(enquiry: Enquiry): Typed {
  const { categoryId, breedId, genderId, ageId, colorId, weightKg } = enquiry
  const known = { categoryId, breedId, genderId, ageId, colorId, weightKg: weightKg || null }
  const typed = Object.entries(known).flatMap(([name, value]) => (value === null ? [] : [[name, String(value)]]))
  return { ...(Object.fromEntries(typed) as Typed), key: randomUUID(), stock: '1', enquiryId: String(enquiry.id) }
}
