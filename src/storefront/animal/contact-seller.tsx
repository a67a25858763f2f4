import { phoneText } from '#src/accounts/phone-text.ts'
import { m } from '#src/paraglide/messages.js'
import { useLocalPath } from '#src/ui/language.ts'
import { Sheet } from '#src/ui/sheet.tsx'
import { contactLink, loginPath, messageTo } from './contact-links.ts'
import type { ProductPageData } from './product-view.server.ts'
import { Icon } from '#src/ui/icon.tsx'

type Props = { product: ProductPageData }

const SHEET = 'contact-seller'

/** 'Contact Seller': shows the number and the prepared text. The bar calls and writes directly (buy-bar.tsx). */
export function ContactSeller({ product }: Props) {
  if (product.availability !== 'available' || product.isOwn) return null
  const { phone } = product.seller
  return (
    <div className="space-y-3">
      {phone !== null && (
        <>
          <button type="button" popoverTarget={SHEET} className="button-plain w-full">
            {m.product_contact_seller()}
          </button>
          <Sheet id={SHEET} title={m.product_contact_seller()} closeLabel={m.contact_close()}>
            <p className="text-sm text-stone">{m.contact_number()}</p>
            <p className="font-semibold">{product.seller.name}</p>
            <p className="mb-3 text-2xl font-bold whitespace-nowrap">{phoneText(phone)}</p>
            <p className="notice mb-4 font-semibold">{m.product_never_pay()}</p>
            <div className="grid grid-cols-2 gap-2">
              <a {...contactLink(product, 'call', phone)} className="button-primary px-2">
                <Icon name="phone" size={18} />
                {m.product_call()}
              </a>
              <a {...contactLink(product, 'whatsapp', phone)} className="button-whatsapp px-2">
                <Icon name="chat" size={18} />
                {m.product_whatsapp()}
              </a>
            </div>
            <p className="mt-4 text-sm text-stone">{m.contact_message()}</p>
            <p className="text-sm break-words">{messageTo(product)}</p>
          </Sheet>
        </>
      )}
      <p className="notice text-sm">{m.product_never_pay()}</p>
    </div>
  )
}

/** In the 'Product Info' table: the number and both actions as plain links, for every browser. */
export function ContactDetails({ product }: Props) {
  const to = useLocalPath()
  const { phone, maskedPhone, isLimited } = product.seller
  if (phone === null) {
    return (
      <>
        <span className="font-semibold whitespace-nowrap">{maskedPhone}</span>{' '}
        {isLimited ? (
          m.product_contact_limited()
        ) : (
          <a href={loginPath(to, product.id)} className="link">
            {m.product_login_phone()}
          </a>
        )}
      </>
    )
  }
  if (product.isOwn || product.availability !== 'available')
    return <span className="font-semibold whitespace-nowrap">{phoneText(phone)}</span>
  return (
    <span className="row gap-x-4">
      <a {...contactLink(product, 'call', phone)} className="tap-link font-semibold">
        {phoneText(phone)}
      </a>
      <a {...contactLink(product, 'whatsapp', phone)} className="tap-link font-semibold">
        {m.product_whatsapp()}
      </a>
    </span>
  )
}
