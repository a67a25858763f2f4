import { formatRupees } from '#src/kit/time-money/money.ts'
import { localized } from '#src/kit/text/locale.ts'
import { m } from '#src/paraglide/messages.js'
import type { ContactWay } from '#src/listings/contacts/contacts.server.ts'
import type { ProductPageData } from './product-view.server.ts'

const addressOf = (product: ProductPageData) => product.origin + localized(`/product/${product.id}`, product.locale)

export const messageTo = (product: ProductPageData) =>
  m.product_whatsapp_text({ name: product.name, code: product.code, url: addressOf(product) })

/** Attributes of a plain link that calls or writes. It works without scripts; a script reports the tap (animal-script.ts). */
export function contactLink(product: ProductPageData, way: ContactWay, phone: string) {
  const noted = { 'data-contact': way, 'data-listing': product.id }
  if (way === 'call') return { ...noted, href: `tel:${phone}` }
  const href = `https://wa.me/${phone.slice(1)}?text=${encodeURIComponent(messageTo(product))}`
  return { ...noted, href, target: '_blank', rel: 'noopener noreferrer' }
}

/** The login page with a return to this animal. `wanted` is the action to offer after the login. */
export function loginPath(to: (path: string) => string, id: number, wanted?: ContactWay): string {
  return to(`/login?next=${encodeURIComponent(to(`/product/${id}${wanted ? `?wanted=${wanted}` : ''}`))}`)
}

export function sharePathOf(product: ProductPageData): string {
  const text = m.product_share_text({
    name: product.name,
    price: formatRupees(product.offerPrice ?? product.originalPrice),
    place: product.place.district,
    url: addressOf(product),
  })
  return `https://wa.me/?text=${encodeURIComponent(text)}`
}
