import { formatRupees } from '#src/kit/time-money/money.ts'
import { m } from '#src/paraglide/messages.js'
import { Icon } from '#src/ui/icon.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { Price } from '#src/ui/price.tsx'
import { SheetButton } from '#src/ui/sheet.tsx'
import { MilkProof } from '#src/listings/clips/milk-proof.tsx'
import { phoneText } from '#src/accounts/phone-text.ts'
import { AddedSheets } from './add-to-cart.tsx'
import { BuyBar } from './buy-bar.tsx'
import { contactLink } from './contact-links.ts'
import { ContactSeller } from './contact-seller.tsx'
import { CountPicker } from './count-picker.tsx'
import type { KeyFact } from './key-facts.server.ts'
import type { ProductPageData } from './product-view.server.ts'
import { TrustChips } from './trust-chips.tsx'

type Props = { product: ProductPageData }

/** The price, the kind, the place and the trust signs: a buyer's first questions, below the photo. */
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
        {product.keyFacts.map((fact) => (
          <li key={fact.label}>{fact.hasProof ? <ProvenFact {...{ fact, product }} /> : <Fact fact={fact} />}</li>
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

const Fact = ({ fact: { icon, label, text } }: { fact: KeyFact }) => (
  <span className="inline-flex items-center gap-1 rounded-control bg-husk-dark px-2 py-0.5 text-sm font-semibold md:text-base">
    <Icon name={icon} size={16} className="shrink-0 text-leaf" />
    <span className="sr-only">{label}: </span>
    {text}
  </span>
)

/** A fact that opens its proof. It is as low as the others but has a 44 px target. */
const ProvenFact = ({ fact, product }: Props & { fact: KeyFact }) => (
  <SheetButton
    id="proof-milk"
    className="-my-2.5 flex min-h-11 cursor-pointer items-center text-left underline"
    label={<Fact fact={fact} />}
    title={m.milk_proof_title()}
  >
    <MilkProof milkings={product.milkings} />
  </SheetButton>
)

/** After a login: continues with the call or message that the person wanted. */
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

function UsualPrice({ product: { usualPrice } }: Props) {
  if (!usualPrice) return null
  const figures = { from: formatRupees(usualPrice.from), to: formatRupees(usualPrice.to), count: usualPrice.count }
  return (
    <SheetButton
      id="usual-price"
      className="link flex min-h-11 cursor-pointer items-center text-left text-sm"
      label={m.product_usual(figures)}
      title={m.product_usual_title()}
    >
      <p>{m.product_usual_text(figures)}</p>
    </SheetButton>
  )
}

/** The seller in one line that links to the seller's page. */
function SellerLine({ product: { seller, ownerName } }: Props) {
  const to = useLocalPath()
  return (
    <a href={to(`/seller/${seller.id}`)} className="flex min-h-11 items-center gap-1.5 hover:underline">
      <Icon name="person" size={18} className="shrink-0 text-leaf" />
      <span className={ownerName === null ? 'relative min-w-0 truncate max-[20rem]:whitespace-normal' : 'min-w-0 break-words'}>
        <b>{ownerName === null ? seller.name : m.product_listed_for({ agent: seller.name, owner: ownerName })}</b>
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
