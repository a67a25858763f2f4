import { placeName } from '#src/addresses/places.server.ts'
import { findReceiver, SMS_NAME, smsTo, type Receiver } from '#src/accounts/notifications/receivers.server.ts'
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
  const said = shorten(comment, SMS_COMMENT)
  if (passed) await notify(ctx, enquiry, 'enquiry-approved', m.sms_enquiry_approved, { comment: said })
  else await notify(ctx, enquiry, 'enquiry-refused', m.sms_enquiry_refused, { comment: said })
}

/** Sent only when an admin closes it. */
export const notifyOfClosing = (ctx: Ctx, enquiry: NotifiedEnquiry) => notify(ctx, enquiry, 'enquiry-closed', m.sms_enquiry_closed, {})

export const notifyOfExpiry = (ctx: Ctx, enquiry: NotifiedEnquiry, day: (locale: Locale) => string) =>
  notify(ctx, enquiry, EXPIRING, m.sms_enquiry_expiring, { day })

/** One SMS for several animals names the first. */
export const notifyOfOffer = (ctx: Ctx, enquiry: NotifiedEnquiry, { name, more }: { name: string; more: number }) =>
  more === 0
    ? notify(ctx, enquiry, 'enquiry-offer', m.sms_enquiry_offer, { name: shorten(name, SMS_NAME) })
    : notify(ctx, enquiry, 'enquiry-offers', m.sms_enquiry_offers, { name: shorten(name, SMS_NAME), count: String(more) })

/** The row's template tells who was asked already (notifications.server.ts). */
export const EXPIRING = 'enquiry-expiring'

type Values = Record<string, string | ((locale: Locale) => string)>
type Text = (variables: never, of: { locale: Locale }) => string

async function notify(ctx: Ctx, enquiry: NotifiedEnquiry, template: string, text: Text, values: Values): Promise<void> {
  const poster = await findReceiver(ctx, enquiry.posterId)
  if (!poster) return
  const { locale } = poster
  const said = Object.entries(values).map(([name, value]) => [name, typeof value === 'string' ? value : value(locale)])
  const variables = {
    ...(Object.fromEntries(said) as Record<string, string>),
    what: whatOf(enquiry, locale),
    link: ctx.publicOrigin + localized(`/view-enquiry/${enquiry.id}`, locale),
  }
  await queueMessage(ctx, smsTo(poster, template, variables, text(variables as never, { locale })))
}

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
