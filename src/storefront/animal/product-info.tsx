import type { ReactNode } from 'react'
import { formatRupees } from '#src/kit/time-money/money.ts'
import { m } from '#src/paraglide/messages.js'
import { useLocalPath } from '#src/ui/language.ts'
import { Price } from '#src/ui/price.tsx'
import { Stars, VerifiedSeller } from '#src/ui/stars.tsx'
import { ContactDetails } from './contact-seller.tsx'
import type { ProductPageData } from './product-view.server.ts'
import { Link } from '#src/ui/link.tsx'

/** The 'Product Info' table of A §2.6. */
export function ProductInfo({ product }: { product: ProductPageData }) {
  const to = useLocalPath()
  const { seller, place } = product
  const where = [...new Set([place.taluk, place.district, place.state])].filter(Boolean).join(', ')
  return (
    <section className="panel overflow-hidden">
      <h2 className="border-b border-line bg-husk-dark px-4 py-2 text-lg">{m.product_info()}</h2>
      <table className="w-full table-fixed text-left">
        <tbody>
          <Row label={m.product_description()} isLong>
            <span className="whitespace-pre-line">{product.description}</span>
          </Row>
          <Row label={m.product_number()}>{product.code}</Row>
          <Row label={m.product_category()}>{[product.category, product.breed].filter(Boolean).join(' · ')}</Row>
          <Row label={m.product_weight()}>{product.weightKg > 0 ? m.card_weight({ kg: product.weightKg }) : m.product_not_weighed()}</Row>
          <Row label={m.product_price()}>
            <Price original={product.originalPrice} offer={product.offerPrice} />
            {product.pricePerKg !== null && (
              <span className="block text-sm text-stone">{m.product_per_kg({ price: formatRupees(product.pricePerKg) })}</span>
            )}
          </Row>
          <Row label={m.product_sold_by()} isLong>
            <span className="row gap-x-3 gap-y-1">
              <Link to={to(`/seller/${seller.id}`)} prefetch="none" className="tap-link font-semibold">
                {seller.name}
              </Link>
              {product.ownerName !== null && <span>{m.product_listed_for({ agent: seller.name, owner: product.ownerName })}</span>}
              <VerifiedSeller isVerified={seller.isVerified} />
              <Stars average={seller.stars} count={seller.ratings} />
            </span>
          </Row>
          <Row label={m.product_location()}>{where}</Row>
          {product.pickup && <Row label={m.product_pickup()}>{product.pickup}</Row>}
          {(seller.phone || product.availability === 'available') && (
            <Row label={m.product_contact()}>
              <ContactDetails product={product} />
            </Row>
          )}
        </tbody>
      </table>
      <p className="border-t border-line px-4 py-2 text-sm text-stone">
        {m.product_listed({ when: product.listed })}
        {product.views > 0 && ` · ${product.views === 1 ? m.product_views_one() : m.product_views({ count: product.views })}`}
      </p>
      {product.isSample && <p className="border-t border-line px-4 py-2 text-sm text-stone">{m.product_sample()}</p>}
    </section>
  )
}

/** On a phone a long text stands below its label. */
export function Row({ label, isLong = false, children }: { label: string; isLong?: boolean; children: ReactNode }) {
  return (
    <tr className={`border-b border-line last:border-0 sm:table-row ${isLong ? 'block' : 'flex max-[22rem]:block'}`}>
      <th scope="row" className="fact-name">
        {label}
      </th>
      <td
        className={`block min-w-0 flex-1 pr-2 max-[22rem]:pl-4 sm:table-cell sm:py-2.5 sm:pr-4 ${isLong ? 'pb-2 pl-4 sm:pl-0' : 'py-1.5'}`}
      >
        {children}
      </td>
    </tr>
  )
}
