import { formatRupees } from '#src/kit/time-money/money.ts'
import { localized } from '#src/kit/text/locale.ts'
import { phoneText } from '#src/accounts/phone-text.ts'
import { m } from '#src/paraglide/messages.js'
import { deferred } from '#src/ui/deferred.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { Sheet } from '#src/ui/sheet.tsx'
import { countTap } from '#src/listings/contact-tap.ts'
import type { ProductPageData } from './product-view.server.ts'
import { Icon } from '#src/ui/icon.tsx'

type Props = { product: ProductPageData }

// Its code loads when a buyer begins to act; the server renders it as a plain form.
const AddToCart = deferred('add-to-cart', async () => (await import('./add-to-cart.tsx')).AddToCart)

const SHEET = 'contact-seller'

const addressOf = (product: ProductPageData) => product.origin + localized(`/product/${product.id}`, product.locale)
const messageTo = (product: ProductPageData) => m.product_whatsapp_text({ name: product.name, code: product.code, url: addressOf(product) })

const whatsappTo = (product: ProductPageData, phone: string) =>
  `https://wa.me/${phone.slice(1)}?text=${encodeURIComponent(messageTo(product))}`

/**
 * 'Contact Seller' and the cart: in the page, and on a phone in a bar that stays at the foot of the screen. Its foot leaves room
 * for the round button of the bar below, which stands up into it.
 */
export function ContactSeller({ product, csrf }: Props & { csrf: string | undefined }) {
  if (product.availability !== 'available' || product.isOwn) return null
  const { phone } = product.seller
  const canBuy = product.buyerId !== null && csrf !== undefined
  const contact = phone === null ? <WithoutNumber product={product} /> : <ContactButton isAlone={!canBuy} />
  return (
    <div>
      <div
        data-buy-bar
        className="fixed inset-x-0 bottom-16 z-20 short:static border-t border-line bg-paper px-3 pt-1 pb-5 md:static md:border-0 md:bg-transparent md:p-0"
      >
        {/* Halves, but never narrower than their longest word: Tamil ones are long, some phones 320 wide. */}
        <div className="grid grid-cols-[1fr_1fr] items-center gap-x-2 gap-y-1">
          <p
            aria-hidden="true"
            className={`flex min-w-0 items-baseline gap-2 md:hidden ${canBuy && product.stock > 1 ? '' : 'col-span-2'}`}
          >
            <b className="text-lg leading-tight">{formatRupees(product.offerPrice ?? product.originalPrice)}</b>
            {/* Where one says how many, that needs the room. */}
            {!(canBuy && product.stock > 1) && <span className="truncate text-sm text-stone">{product.name}</span>}
          </p>
          {canBuy ? (
            <AddToCart product={product} csrf={csrf}>
              {contact}
            </AddToCart>
          ) : (
            contact
          )}
        </div>
      </div>
      <p className="notice mt-3 text-sm">{m.product_never_pay()}</p>
      {phone !== null && (
        <Sheet id={SHEET} title={m.product_contact_seller()} closeLabel={m.contact_close()}>
          <p className="text-sm text-stone">{m.contact_number()}</p>
          <p className="font-semibold">{product.seller.name}</p>
          <p className="mb-3 text-2xl font-bold whitespace-nowrap">{phoneText(phone)}</p>
          <p className="notice mb-4 font-semibold">{m.product_never_pay()}</p>
          <ContactLinks product={product} phone={phone} />
          <p className="mt-4 text-sm text-stone">{m.contact_message()}</p>
          <p className="text-sm break-words">{messageTo(product)}</p>
        </Sheet>
      )}
    </div>
  )
}

function ContactButton({ isAlone }: { isAlone: boolean }) {
  return (
    <button
      type="button"
      popoverTarget={SHEET}
      className={isAlone ? 'button-primary col-span-2 px-2' : 'button-plain px-1 text-sm leading-tight lg:px-2 lg:text-base'}
    >
      <Icon name="phone" size={18} className={isAlone ? 'shrink-0' : 'hidden shrink-0 lg:block'} />
      {m.product_contact_seller()}
    </button>
  )
}

/** For anonymous visitors, or after too many numbers in one day. */
function WithoutNumber({ product }: Props) {
  const to = useLocalPath()
  if (product.seller.isLimited)
    return (
      <p className={`text-center text-sm leading-tight font-semibold ${product.buyerId === null ? 'col-span-2 py-2' : ''}`}>
        {m.product_contact_limited()}
      </p>
    )
  const login = to(`/login?next=${encodeURIComponent(to(`/product/${product.id}`))}`)
  return (
    <>
      <a href={login} className="button-plain px-1 text-sm max-[22rem]:text-xs leading-tight">
        {m.product_contact_seller()}
      </a>
      <a href={`${login}&wanted=cart-${product.id}`} className="button-primary px-1 text-sm max-[22rem]:text-xs leading-tight">
        {m.product_login_cart()}
      </a>
    </>
  )
}

/** Links, so that they call without a script; a tap is counted on the way. */
function ContactLinks({ product, phone }: Props & { phone: string }) {
  return (
    <div className="grid grid-cols-2 gap-2">
      <a href={`tel:${phone}`} onClick={() => countTap(product.id, 'call')} className="button-primary px-2">
        <Icon name="phone" size={18} />
        {m.product_call()}
      </a>
      <a
        href={whatsappTo(product, phone)}
        target="_blank"
        rel="noopener noreferrer"
        onClick={() => countTap(product.id, 'whatsapp')}
        className="button-whatsapp px-2"
      >
        <Icon name="chat" size={18} />
        {m.product_whatsapp()}
      </a>
    </div>
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
      className="tap-link gap-2 font-semibold"
    >
      <Icon name="share" size={18} />
      {m.product_share()}
    </a>
  )
}

/** In the 'Product Info' table: the number and both ways as plain links, whatever the browser can. */
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
          <a href={to(`/login?next=${encodeURIComponent(to(`/product/${product.id}`))}`)} className="link">
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
      <a href={`tel:${phone}`} onClick={() => countTap(product.id, 'call')} className="tap-link font-semibold">
        {phoneText(phone)}
      </a>
      <a
        href={whatsappTo(product, phone)}
        target="_blank"
        rel="noopener noreferrer"
        onClick={() => countTap(product.id, 'whatsapp')}
        className="tap-link font-semibold"
      >
        {m.product_whatsapp()}
      </a>
    </span>
  )
}
