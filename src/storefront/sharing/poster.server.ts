import { findReceiver } from '#src/accounts/notifications/receivers.server.ts'
import { phoneText } from '#src/accounts/phone-text.ts'
import type { Ctx } from '#src/kit/context.ts'
import { notFound } from '#src/kit/base/problem.ts'
import { localized } from '#src/kit/text/locale.ts'
import { qrPicture } from '#src/kit/paper/qr-picture.server.ts'
import { typesetPdf } from '#src/kit/paper/typesetter.server.ts'
import { m } from '#src/paraglide/messages.js'
import { getSeller } from '#src/reviews/seller.server.ts'

/**
 * Makes an A4 sheet for the village notice board: a code that links to the seller's page with their current animals and, with `hasPhone`, their
 * number, also on tear-off strips. Throws NOT_FOUND for an unknown seller and UNAVAILABLE without a typesetter.
 */
export async function posterPdf(ctx: Ctx, sellerId: number, { hasPhone }: { hasPhone: boolean }): Promise<Buffer> {
  const options = { locale: ctx.locale }
  const seller = await getSeller(ctx, sellerId)
  const person = await findReceiver(ctx, sellerId)
  if (!person) throw notFound()
  const page = ctx.publicOrigin + localized(`/seller/${sellerId}`, ctx.locale)
  return typesetPdf(ctx, {
    template: 'storefront/sharing/poster.typ',
    data: {
      lang: ctx.locale,
      brand: m.site_name({}, options),
      title: m.poster_title({}, options),
      name: seller.name,
      town: seller.town ?? '',
      qr: qrPicture(page),
      scan: m.poster_scan({}, options),
      call: m.poster_call({}, options),
      address: page.replace(/^https?:\/\//, ''),
      phone: hasPhone ? phoneText(person.phone) : null,
    },
  })
}
