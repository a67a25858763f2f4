import { formatRupees } from '#src/kit/money.ts'
import { localized } from '#src/kit/locale.ts'
import { m } from '#src/paraglide/messages.js'
import { useLocalPath } from '#src/ui/language.ts'
import type { ProductPageData } from './product-view.server.ts'
import { Icon } from '#src/ui/icon.tsx'

type Props = { product: ProductPageData }

const addressOf = (product: ProductPageData) => product.origin + localized(`/product/${product.id}`, product.locale)

/**
 * Call, WhatsApp, cart: in the page, and on a phone in a bar that stays at the foot of the screen. Its foot leaves room for
 * the round button of the bar below, which stands up into it.
 */
export function ContactSeller({ product }: Props) {
  if (product.availability !== 'available' || product.isOwn) {
    return product.isOwn ? <p className="font-semibold">{m.product_your_own()}</p> : null
  }
  return (
    <div>
      <div
        data-buy-bar
        className="fixed inset-x-0 bottom-16 z-20 short:static border-t border-line bg-paper px-3 pt-1 pb-5 md:static md:border-0 md:bg-transparent md:p-0"
      >
        <p aria-hidden="true" className="mb-1 flex items-baseline gap-2 md:hidden">
          <b className="text-lg leading-tight">{formatRupees(product.offerPrice ?? product.originalPrice)}</b>
          <span className="truncate text-sm text-stone">{product.name}</span>
        </p>
        <div className="grid grid-cols-2 gap-2">
          <ContactButtons product={product} />
        </div>
      </div>
      <p className="mt-3 rounded-control bg-turmeric-soft px-3 py-2 text-sm">{m.product_never_pay()}</p>
    </div>
  )
}

function ContactButtons({ product }: Props) {
  const to = useLocalPath()
  const { phone } = product.seller
  if (!phone) {
    return (
      <>
        <a href={to('/login')} className="button-plain px-2 text-sm leading-tight">
          {m.product_contact_seller()}
        </a>
        <a href={to('/login')} className="button-primary px-2 text-sm leading-tight">
          {m.product_login_cart()}
        </a>
      </>
    )
  }
  const text = m.product_whatsapp_text({ name: product.name, code: product.code, url: addressOf(product) })
  return (
    <>
      <a href={`tel:${phone}`} className="button-primary px-2">
        <Icon name="phone" size={18} />
        {m.product_call()}
      </a>
      <a
        href={`https://wa.me/${phone.slice(1)}?text=${encodeURIComponent(text)}`}
        target="_blank"
        rel="noopener noreferrer"
        className="button-whatsapp px-2"
      >
        <Icon name="chat" size={18} />
        {m.product_whatsapp()}
      </a>
    </>
  )
}

export function ShareLink({ product }: Props) {
  const text = m.product_share_text({
    name: product.name,
    price: formatRupees(product.offerPrice ?? product.originalPrice),
    place: product.place.district,
    url: addressOf(product),
  })
  return (
    <a
      href={`https://wa.me/?text=${encodeURIComponent(text)}`}
      target="_blank"
      rel="noopener noreferrer"
      className="link inline-flex min-h-11 items-center gap-2 font-semibold"
    >
      <Icon name="share" size={18} />
      {m.product_share()}
    </a>
  )
}
