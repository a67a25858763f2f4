import { and, desc, eq, sql } from 'drizzle-orm'
import { users } from '#src/accounts/tables.ts'
import type { Ctx } from '#src/kit/context.ts'
import { readSettings } from '#src/kit/records/settings.server.ts'
import type { MediaStore } from '#src/kit/media/media-store.server.ts'
import { formatDay } from '#src/kit/time-money/dates.ts'
import { formatRupees } from '#src/kit/time-money/money.ts'
import { lifeStateOf } from '#src/listings/life/life.ts'
import { lookups } from '#src/listings/reference/lookups.server.ts'
import { listingCode } from '#src/listings/life/rules.ts'
import { listings } from '#src/listings/tables.ts'
import { m } from '#src/paraglide/messages.js'
import { ownerConsents } from '../tables.ts'
import { ANSWER_DAYS, isOpen } from './consents.server.ts'
import type { Owner } from './owners.server.ts'
import { feeIn, feeText, handOf } from './terms.ts'

/** Listings per page; the owner answers these before they see more. */
const MAX_SHOWN = 50

/** Photos are inlined in the page, because photos of an unpublished listing are not served to anonymous visitors. */
const WITH_PHOTO = 10

async function inPage(media: MediaStore, key: string): Promise<string | null> {
  const picture = await media.read(key, 320, 'webp')
  return picture && `data:image/webp;base64,${picture.toString('base64')}`
}

/** The owner's listings that wait for an answer or can be pulled: the newest first, in the viewer's language. */
export async function listOwnerListings(ctx: Ctx, media: MediaStore, owner: Pick<Owner, 'id'>) {
  const rows = await ctx.db
    .select({
      listing: listings,
      consent: ownerConsents,
      agent: { name: users.name, phone: users.phone },
      photo: sql<string | null>`(select p.media_key from listing_photos p where p.listing_id = ${listings.id} and p.position = 0)`,
    })
    .from(ownerConsents)
    .innerJoin(listings, eq(listings.id, ownerConsents.listingId))
    .innerJoin(users, eq(users.id, ownerConsents.agentId))
    .where(and(eq(ownerConsents.ownerId, owner.id), isOpen))
    .orderBy(desc(ownerConsents.askedAt), desc(ownerConsents.listingId))
    .limit(MAX_SHOWN)
  const { profitMarginPercent } = await readSettings(ctx)
  const { locale } = ctx
  const photos = await Promise.all(rows.map(({ photo }, n) => (photo && n < WITH_PHOTO ? inPage(media, photo) : null)))
  return rows.map(({ listing, consent, agent }, n) => {
    const fee = feeIn(consent)
    const hand = handOf(consent.price, fee, profitMarginPercent)
    return {
      id: listing.id,
      round: consent.round,
      code: listingCode(lookups.category(listing.categoryId).shortEn, listing.id),
      name: (locale === 'en' && listing.nameEn) || listing.name,
      description: (locale === 'en' && listing.descriptionEn) || listing.description,
      photo: photos[n] ?? null,
      stock: listing.stock,
      agent: { name: agent.name || m.profile_deleted_user({}, { locale }), phone: agent.phone },
      price: formatRupees(hand.price),
      commission: formatRupees(hand.commission),
      commissionPercent: profitMarginPercent,
      fee: feeText(fee, locale),
      feeAmount: formatRupees(hand.fee),
      inHand: formatRupees(hand.inHand),
      isAsked: consent.state === 'asked',
      until: formatDay(new Date(consent.askedAt.getTime() + ANSWER_DAYS * 86_400_000), locale),
      isPublic: listing.state === 'passed',
      isSold: lifeStateOf(listing) === 'sold',
    }
  })
}
export type OwnerListing = Awaited<ReturnType<typeof listOwnerListings>>[number]
