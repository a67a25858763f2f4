import { findReceiver } from '#src/accounts/receivers.server.ts'
import { phoneText } from '#src/accounts/phone-text.ts'
import type { Ctx } from '#src/kit/context.ts'
import { notFound } from '#src/kit/problem.ts'
import { localized } from '#src/kit/text/locale.ts'
import { qrPicture } from '#src/kit/text/qr-picture.server.ts'
import { typesetPdf } from '#src/kit/text/typesetter.server.ts'
import { m } from '#src/paraglide/messages.js'
import { getSeller } from '#src/reviews/seller.server.ts'

/**
 * A sheet (A4) for the board of the village: a code that leads to the seller's page, which always has today's animals, and with `hasPhone`
 * their number, also on strips to tear off. NOT_FOUND for somebody who is gone; UNAVAILABLE where there is no typesetter.
 */
export async function posterPdf(ctx: Ctx, sellerId: number, { hasPhone }: { hasPhone: boolean }): Promise<Buffer> {
  const say = { locale: ctx.locale }
  const seller = await getSeller(ctx, sellerId)
  const person = await findReceiver(ctx, sellerId)
  if (!person) throw notFound()
  const page = ctx.publicOrigin + localized(`/seller/${sellerId}`, ctx.locale)
  return typesetPdf(ctx, {
    template: 'storefront/sharing/poster.typ',
    data: {
      lang: ctx.locale,
      brand: m.site_name({}, say),
      title: m.poster_title({}, say),
      name: seller.name,
      town: seller.town ?? '',
      qr: qrPicture(page),
      scan: m.poster_scan({}, say),
      call: m.poster_call({}, say),
      address: page.replace(/^https?:\/\//, ''),
      phone: hasPhone ? phoneText(person.phone) : null,
    },
  })
}
