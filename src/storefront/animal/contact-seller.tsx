import { phoneText } from '#src/accounts/phone-text.ts'
import { m } from '#src/paraglide/messages.js'
import { useLocalPath } from '#src/ui/language.ts'
import { Sheet } from '#src/ui/sheet.tsx'
import type { ContactWay } from '#src/listings/contacts/contacts.server.ts'
import { contactLink, loginPath, messageTo } from './contact-links.ts'
import type { ProductPageData } from './product-view.server.ts'
import { Icon } from '#src/ui/icon.tsx'

type Props = { product: ProductPageData }

/** The sheet that the button 'Contact Seller' opens (buy-bar.tsx). */
export const CONTACT_SHEET = 'contact-seller'

const noCallTexts = { limit: m.product_contact_limited, powers: m.product_contact_powers }

/** 'Contact Seller' of A §2.6: call, WhatsApp, and the warning to never pay in advance (A §6). Without scripts the same button opens it. */
export function ContactSeller({ product }: Props) {
  if (product.availability !== 'available' || product.isOwn) return null
  const { name, phone, maskedPhone, whyMasked } = product.seller
  return (
    <>
      <Sheet id={CONTACT_SHEET} title={m.product_contact_seller()}>
        <p className="text-sm text-stone">{m.contact_number()}</p>
        <p className="font-semibold">{name}</p>
        <p className="mb-3 text-2xl font-bold whitespace-nowrap">{phone === null ? maskedPhone : phoneText(phone)}</p>
        <p className="notice mb-4 font-semibold">{m.product_never_pay()}</p>
        {whyMasked === 'limit' || whyMasked === 'powers' ? <p>{noCallTexts[whyMasked]()}</p> : <Ways product={product} />}
      </Sheet>
      <p className="notice text-sm">{m.product_never_pay()}</p>
    </>
  )
}

/** Anonymous visitors log in first and return to the same action. */
function Ways({ product }: Props) {
  const to = useLocalPath()
  const { phone } = product.seller
  const link = (way: ContactWay) => (phone === null ? { href: loginPath(to, product.id, way) } : contactLink(product, way, phone))
  return (
    <>
      {phone === null && <p className="mb-2 font-semibold">{m.product_login_phone()}</p>}
      <div className="grid grid-cols-2 gap-2">
        <a {...link('call')} className="button-primary px-2">
          <Icon name="phone" size={18} />
          {m.product_call()}
        </a>
        <a {...link('whatsapp')} className="button-whatsapp px-2">
          <Icon name="chat" size={18} />
          {m.product_whatsapp()}
        </a>
      </div>
      <p className="mt-4 text-sm text-stone">{m.contact_message()}</p>
      <p className="text-sm break-words">{messageTo(product)}</p>
    </>
  )
}

/** In the 'Product Info' table: the number. */
export function ContactDetails({ product }: Props) {
  const to = useLocalPath()
  const { phone, maskedPhone, whyMasked } = product.seller
  if (phone === null) {
    return (
      <>
        <span className="font-semibold whitespace-nowrap">{maskedPhone}</span>{' '}
        {whyMasked === 'limit' || whyMasked === 'powers' ? (
          noCallTexts[whyMasked]()
        ) : (
          <a href={loginPath(to, product.id)} className="tap-link">
            {m.product_login_phone()}
          </a>
        )}
      </>
    )
  }
  if (product.isOwn || product.availability !== 'available')
    return <span className="font-semibold whitespace-nowrap">{phoneText(phone)}</span>
  return (
    <a {...contactLink(product, 'call', phone)} className="tap-link font-semibold whitespace-nowrap">
      {phoneText(phone)}
    </a>
  )
}
