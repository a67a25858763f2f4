import { formatRupees } from '#src/kit/time-money/money.ts'
import { m } from '#src/paraglide/messages.js'
import { Icon } from '#src/ui/icon.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { Price } from '#src/ui/price.tsx'
import { Sheet } from '#src/ui/sheet.tsx'
import { AddedSheets } from './add-to-cart.tsx'
import { BuyBar } from './buy-bar.tsx'
import { contactLink } from './contact-links.ts'
import { phoneText } from '#src/accounts/phone-text.ts'
import { ContactSeller } from './contact-seller.tsx'
import { CountPicker } from './count-picker.tsx'
import type { ProductPageData } from './product-view.server.ts'
import { TrustChips } from './trust-chips.tsx'

type Props = { product: ProductPageData }

/** What it costs, is it the right kind, where is it, can one trust it: all that a buyer asks first, below the photo. */
export function FirstScreen({ product, csrf }: Props & { csrf: string | undefined }) {
  return (
    <div className="grid min-w-0 grid-cols-1 content-start gap-4">
      <Answers product={product} />
      <CountPicker product={product} />
      <BuyBar product={product} csrf={csrf} />
      {product.buyerId !== null && <AddedSheets product={product} />}
      <ContactSeller product={product} />
    </div>
  )
}

function Answers({ product }: Props) {
  const { place, kilometres } = product
  return (
    <div className="grid grid-cols-1 content-start gap-2 md:gap-4">
      <Wanted product={product} />
      <div>
        <p>
          <Price original={product.originalPrice} offer={product.offerPrice} isLarge />
        </p>
        <h1 className="text-xl md:text-3xl">{product.name}</h1>
      </div>
      <ul aria-label={m.product_facts()} className="flex flex-wrap gap-1.5">
        {product.keyFacts.map(({ icon, label, text }) => (
          <li
            key={icon}
            className="inline-flex items-center gap-1 rounded-control bg-husk-dark px-2 py-0.5 text-sm font-semibold md:text-base"
          >
            <Icon name={icon} size={16} className="shrink-0 text-leaf" />
            <span className="sr-only">{label}: </span>
            {text}
          </li>
        ))}
      </ul>
      <p className="flex items-start gap-1">
        <Icon name="pin" size={18} className="mt-0.75 shrink-0 text-leaf" />
        <span>
          <span className="sr-only">{m.product_place()}: </span>
          {[...new Set([place.taluk, place.district])].join(', ')}
          {kilometres !== null && <b className="whitespace-nowrap"> · {m.card_km({ km: kilometres })}</b>}
        </span>
      </p>
      <div>
        <TrustChips product={product} />
        <UsualPrice product={product} />
        <SellerLine product={product} />
      </div>
    </div>
  )
}

/** Somebody who was sent to log in wanted to call or to write: here it goes on. */
function Wanted({ product }: Props) {
  const { phone } = product.seller
  const { wanted } = product
  if (!wanted || phone === null || product.isOwn || product.availability !== 'available') return null
  return (
    <p role="status" className="done">
      {wanted === 'call' ? m.product_wanted_call() : m.product_wanted_whatsapp()}{' '}
      <a {...contactLink(product, wanted, phone)} className="tap-link whitespace-nowrap">
        {wanted === 'call' ? phoneText(phone) : m.product_whatsapp()}
      </a>
    </p>
  )
}

const USUAL = 'usual-price'

function UsualPrice({ product: { usualPrice } }: Props) {
  if (!usualPrice) return null
  const figures = { from: formatRupees(usualPrice.from), to: formatRupees(usualPrice.to), count: usualPrice.count }
  return (
    <>
      <button type="button" popoverTarget={USUAL} className="link flex min-h-11 cursor-pointer items-center text-left text-sm">
        {m.product_usual(figures)}
      </button>
      <Sheet id={USUAL} title={m.product_usual_title()} closeLabel={m.contact_close()}>
        <p>{m.product_usual_text(figures)}</p>
      </Sheet>
    </>
  )
}

/** Who sells it, in one line that leads to the seller's page. */
function SellerLine({ product: { seller } }: Props) {
  const to = useLocalPath()
  return (
    <a href={to(`/seller/${seller.id}`)} className="flex min-h-11 items-center gap-1.5 hover:underline">
      <Icon name="person" size={18} className="shrink-0 text-leaf" />
      <span className="min-w-0 truncate">
        <b>{seller.name}</b>
        {seller.stars !== null && (
          <>
            {' '}
            <span aria-hidden="true">
              ★{seller.stars} ({seller.ratings})
            </span>
            <span className="sr-only">{m.product_stars({ stars: seller.stars })}</span>
          </>
        )}
        {seller.sold > 0 && <> · {m.product_sold_many({ count: seller.sold })}</>}
      </span>
      <Icon name="next" size={18} className="shrink-0 text-leaf" />
    </a>
  )
}
