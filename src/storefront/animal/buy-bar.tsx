import { m } from '#src/paraglide/messages.js'
import { Icon } from '#src/ui/icon.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { AddToCart } from './add-to-cart.tsx'
import { loginPath } from './contact-links.ts'
import { CONTACT_SHEET } from './contact-seller.tsx'
import type { ProductPageData } from './product-view.server.ts'

type Props = { product: ProductPageData; csrf: string | undefined }

/** A phone of 320 pixels has room for both. */
const look = 'min-h-12 flex-auto px-1 py-0.5 text-sm leading-tight md:flex-1 md:text-base'

/**
 * The actions of this page: contact the seller, add to cart. On a phone the bar is at the bottom of the screen and replaces the market's
 * navigation (app.css).
 */
export function BuyBar({ product, csrf }: Props) {
  if (product.availability !== 'available' || product.isOwn) return null
  return (
    <div data-buy-bar className="action-bar">
      <div className="mx-auto flex min-h-13 max-w-md items-center gap-2 max-[20rem]:flex-wrap md:max-w-none">
        <button type="button" popoverTarget={CONTACT_SHEET} className={`button-plain ${look}`}>
          <Icon name="phone" size={20} className="shrink-0 max-md:hidden" />
          {m.product_contact_seller()}
        </button>
        <Add product={product} csrf={csrf} />
      </div>
      <p role="status" data-kept={m.cart_kept()} className="mx-auto max-w-md text-sm font-semibold text-brick md:max-w-none" />
    </div>
  )
}

function Add({ product, csrf }: Props) {
  const to = useLocalPath()
  if (product.buyerId !== null && csrf !== undefined) return <AddToCart product={product} csrf={csrf} />
  if (product.isLoggedIn) return null
  return (
    <a href={`${loginPath(to, product.id)}&wanted=cart-${product.id}`} className={`button-primary ${look}`}>
      {m.product_login_cart()}
    </a>
  )
}
