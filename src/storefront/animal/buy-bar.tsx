import { m } from '#src/paraglide/messages.js'
import { Icon } from '#src/ui/icon.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import type { ContactWay } from '#src/listings/contacts.server.ts'
import { AddToCart } from './add-to-cart.tsx'
import { contactLink, loginPath } from './contact-links.ts'
import type { ProductPageData } from './product-view.server.ts'

type Props = { product: ProductPageData; csrf: string | undefined }

const actions = {
  call: { icon: 'phone', text: m.product_call, look: 'button-plain' },
  whatsapp: { icon: 'chat', text: m.product_whatsapp, look: 'button-whatsapp' },
} as const
/** On a phone the icon is above its text, because three buttons share 320 pixels. */
const place = 'min-h-12 gap-0 px-2 py-0.5 text-sm leading-tight max-md:flex-col md:gap-2 md:text-base'

/**
 * The actions of this page: call, write, add to cart. On a phone the bar is at the bottom of the screen and replaces the market's navigation
 * (app.css).
 */
export function BuyBar({ product, csrf }: Props) {
  if (product.availability !== 'available' || product.isOwn) return null
  const { isLimited } = product.seller
  return (
    <div
      data-buy-bar
      className="fixed inset-x-0 bottom-0 z-30 border-t border-line bg-paper px-3 py-1.5 md:static md:border-0 md:bg-transparent md:p-0 short:static"
    >
      <div className="mx-auto grid min-h-13 max-w-md grid-cols-[auto_auto_minmax(0,1fr)] items-center gap-2 max-[20rem]:grid-cols-1 max-[20rem]:*:col-span-full md:max-w-none md:grid-cols-3">
        {isLimited ? (
          <p className="col-span-2 max-w-44 text-sm leading-tight font-semibold md:max-w-none">{m.product_contact_limited()}</p>
        ) : (
          <>
            <Contact product={product} way="call" />
            <Contact product={product} way="whatsapp" />
          </>
        )}
        <Add product={product} csrf={csrf} />
      </div>
    </div>
  )
}

/** Anonymous visitors log in first and return to the same action. */
function Contact({ product, way }: { product: ProductPageData; way: ContactWay }) {
  const to = useLocalPath()
  const { phone } = product.seller
  const { icon, text, look } = actions[way]
  const link = phone === null ? { href: loginPath(to, product.id, way) } : contactLink(product, way, phone)
  return (
    <a {...link} className={`${look} ${place}`}>
      <Icon name={icon} size={20} className="shrink-0" />
      {text()}
    </a>
  )
}

function Add({ product, csrf }: Props) {
  const to = useLocalPath()
  if (product.buyerId !== null && csrf !== undefined) return <AddToCart product={product} csrf={csrf} />
  if (product.isLoggedIn) return null
  return (
    <a href={`${loginPath(to, product.id)}&wanted=cart-${product.id}`} className={`button-primary ${place} px-1`}>
      <span aria-hidden="true">{m.cart_add()}</span>
      <span className="sr-only">{m.product_login_cart()}</span>
    </a>
  )
}
