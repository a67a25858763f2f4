import { m } from '#src/paraglide/messages.js'
import { useLocalPath } from '#src/ui/language.ts'
import { Sheet } from '#src/ui/sheet.tsx'
import { HiddenFields } from '#src/ui/post-form.tsx'
import { ADD_FORM } from './count-picker.tsx'
import { loginPath } from './contact-links.ts'
import type { ProductPageData } from './product-view.server.ts'

interface Props {
  product: ProductPageData
  csrf: string
}

/**
 * 'Add to cart'; the number is chosen beside the price (count-picker.tsx). A plain form for the cart page; with scripts, a sheet on this page shows
 * the answer (add-script.ts). The cart is a later domain, so this file knows only its address.
 */
export function AddToCart({ product, csrf }: Props) {
  const to = useLocalPath()
  return (
    <form
      id={ADD_FORM}
      method="post"
      action={to('/my-cart')}
      data-scripted=""
      data-add={product.id}
      data-buyer={product.buyerId}
      data-sign-in={loginPath(to, product.id)}
      className="contents"
    >
      <HiddenFields csrf={csrf} act="add" id={product.id} />
      <button
        type="submit"
        data-busy={m.cart_adding()}
        className="button-primary min-h-12 flex-auto px-1 py-0.5 text-sm leading-tight md:flex-1 md:text-base"
      >
        {m.cart_add()}
      </button>
    </form>
  )
}

export function AddedSheets({ product }: Pick<Props, 'product'>) {
  const to = useLocalPath()
  return (
    <>
      <Sheet id="cart-added" title={m.cart_added_title()}>
        <p role="status">{m.cart_added_text({ name: product.name })}</p>
        <div className="mt-4 grid grid-cols-2 gap-2">
          <a href={to('/buy/0')} className="button-plain px-2">
            {m.cart_continue_buy()}
          </a>
          <a href={to('/my-cart')} className="button-primary px-2">
            {m.cart_view()}
          </a>
        </div>
      </Sheet>
      <Sheet id="cart-failed" title={m.cart_add_failed_title()}>
        <p>{m.cart_add_failed_text()}</p>
        <p role="status" data-detail={m.cart_no_line()} className="mt-2 font-semibold" />
        <div className="mt-4 grid gap-2 xs:grid-cols-2">
          <button type="submit" form={ADD_FORM} data-again className="button-primary px-2">
            {m.cart_try_again()}
          </button>
          <a href={to('/support')} className="button-plain px-2">
            {m.cart_contact_support()}
          </a>
        </div>
      </Sheet>
    </>
  )
}
