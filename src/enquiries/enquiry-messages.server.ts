import { placeName } from '#src/addresses/places.server.ts'
import { notify, SMS_NAME, smsTo, type Receiver } from '#src/accounts/notifications/receivers.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { localized, type Locale } from '#src/kit/text/locale.ts'
import { queueMessage } from '#src/kit/messages/outbox.server.ts'
import { shorten } from '#src/kit/http/seo.ts'
import { lookups, nameOf, nameOrNull } from '#src/listings/reference/lookups.server.ts'
import { m } from '#src/paraglide/messages.js'

/** SMS about enquiries, in the receiver's language. Call it inside the causing transaction. No SMS has another person's name or number. */

/** Letters of the comment in an SMS; the enquiry's page has the whole comment. */
const SMS_COMMENT = 160

export interface NotifiedEnquiry {
  id: number
  posterId: number
  categoryTypeId: number
  categoryId: number | null
  breedId: number | null
  district: string
}

/** "Kangayam", "Goat" for any breed, or "Feeds". */
export const whatOf = (
  { breedId, categoryId, categoryTypeId }: Omit<NotifiedEnquiry, 'id' | 'posterId' | 'district'>,
  locale: Locale,
): string =>
  nameOrNull(lookups.breed, breedId, locale) ??
  nameOrNull(lookups.category, categoryId, locale) ??
  nameOf(lookups.categoryType(categoryTypeId), locale)

export async function notifyOfVerdict(
  ctx: Ctx,
  enquiry: NotifiedEnquiry,
  { passed, comment }: { passed: boolean; comment: string },
): Promise<void> {
  const [template, text] = passed
    ? (['enquiry-approved', m.sms_enquiry_approved] as const)
    : (['enquiry-refused', m.sms_enquiry_refused] as const)
  await notify(ctx, enquiry.posterId, template, text, (locale) => ({
    ...aboutIt(ctx, enquiry, locale),
    comment: shorten(comment, SMS_COMMENT),
  }))
}

/** Sent only when an admin closes it. */
export const notifyOfClosing = (ctx: Ctx, enquiry: NotifiedEnquiry) =>
  notify(ctx, enquiry.posterId, 'enquiry-closed', m.sms_enquiry_closed, (locale) => aboutIt(ctx, enquiry, locale))

export const notifyOfExpiry = (ctx: Ctx, enquiry: NotifiedEnquiry, day: (locale: Locale) => string) =>
  notify(ctx, enquiry.posterId, EXPIRING, m.sms_enquiry_expiring, (locale) => ({ ...aboutIt(ctx, enquiry, locale), day: day(locale) }))

/** One SMS for several animals names the first. */
export const notifyOfOffer = (ctx: Ctx, enquiry: NotifiedEnquiry, { name, more }: { name: string; more: number }) => {
  const { posterId } = enquiry
  const count = String(more)
  const values = (locale: Locale) => ({ ...aboutIt(ctx, enquiry, locale), name: shorten(name, SMS_NAME) })
  return more === 0
    ? notify(ctx, posterId, 'enquiry-offer', m.sms_enquiry_offer, values)
    : notify(ctx, posterId, 'enquiry-offers', m.sms_enquiry_offers, (locale) => ({ ...values(locale), count }))
}

/** The row's template tells who was asked already (notifications.server.ts). */
export const EXPIRING = 'enquiry-expiring'

const aboutIt = (ctx: Ctx, enquiry: NotifiedEnquiry, locale: Locale) => ({
  what: whatOf(enquiry, locale),
  link: ctx.publicOrigin + localized(`/view-enquiry/${enquiry.id}`, locale),
})

/** One SMS to a seller about all nearby enquiries that they have not been notified of. */
export async function notifySeller(ctx: Ctx, seller: Receiver, found: NotifiedEnquiry[]): Promise<void> {
  const { locale } = seller
  const first = found[0]!
  const isOne = found.length === 1
  const path = isOne ? `/view-enquiry/${first.id}` : '/view-requirements'
  const variables = {
    what: whatOf(first, locale),
    place: placeName(first.district, locale),
    count: String(found.length - 1),
    link: ctx.publicOrigin + localized(path, locale),
  }
  const text = isOne ? m.sms_enquiry_wanted : m.sms_enquiry_wanted_more
  await queueMessage(ctx, smsTo(seller, isOne ? 'enquiry-wanted' : 'enquiry-wanted-more', variables, text(variables, { locale })))
}
