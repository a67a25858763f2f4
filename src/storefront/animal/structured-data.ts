import { localized, type Locale } from '#src/kit/text/locale.ts'
import { mediaUrl } from '#src/kit/media/media-url.ts'
import { decimalOf, type Money } from '#src/kit/time-money/money.ts'
import { shorten } from '#src/kit/http/seo.ts'
import { m } from '#src/paraglide/messages.js'
import type { Availability } from '#src/listings/life/rules.ts'

/**
 * Structured data of schema.org in the page's language. Only facts that the page shows to everybody, without phone and street. Kept short, because
 * every visitor loads it.
 */

/** The described facts; the product page's data has all of them. */
export interface DescribedProduct {
  id: number
  code: string
  name: string
  description: string
  category: string
  categoryId: number
  breed: string | null
  age: string | null
  gender: string | null
  weightKg: number
  originalPrice: Money
  offerPrice: Money | null
  availability: Availability
  place: { taluk: string; district: string; state: string }
  photos: { key: string }[]
  seller: { name: string; stars: number | null; ratings: number }
  locale: Locale
  origin: string
}

const availabilities: Record<Availability, string> = { available: 'InStock', sold: 'SoldOut', closed: 'Discontinued' }
const DESCRIPTION_LENGTH = 300

export function productThings(product: DescribedProduct): object[] {
  const { place, seller, locale, origin } = product
  const url = (path: string) => origin + localized(path, locale)
  const traits = [
    [m.product_breed(), product.breed],
    [m.product_age(), product.age],
    [m.product_gender(), product.gender],
  ].filter(([, value]) => value)
  return [
    {
      '@type': 'Product',
      name: product.name,
      description: shorten(product.description, DESCRIPTION_LENGTH),
      sku: product.code,
      category: product.category,
      url: url(`/product/${product.id}`),
      image: product.photos.length > 0 ? product.photos.map(({ key }) => origin + mediaUrl(key, 1280, 'jpeg')) : [`${origin}/share.jpg`],
      ...(product.weightKg > 0 && { weight: { '@type': 'QuantitativeValue', value: product.weightKg, unitCode: 'KGM' } }),
      ...(traits.length > 0 && { additionalProperty: traits.map(([name, value]) => ({ '@type': 'PropertyValue', name, value })) }),
      offers: {
        '@type': 'Offer',
        url: url(`/product/${product.id}`),
        price: decimalOf(product.offerPrice ?? product.originalPrice),
        priceCurrency: 'INR',
        availability: `https://schema.org/${availabilities[product.availability]}`,
        availableAtOrFrom: {
          '@type': 'Place',
          address: {
            '@type': 'PostalAddress',
            addressLocality: place.taluk === place.district ? place.district : `${place.taluk}, ${place.district}`,
            addressRegion: place.state,
            addressCountry: 'IN',
          },
        },
        // The rating belongs to the seller, not to the animal. It must be an Organization, because a schema.org Person has no rating.
        seller: {
          '@type': 'Organization',
          name: seller.name,
          ...(seller.stars !== null &&
            seller.ratings > 0 && {
              aggregateRating: { '@type': 'AggregateRating', ratingValue: seller.stars, ratingCount: seller.ratings },
            }),
        },
      },
    },
    {
      '@type': 'BreadcrumbList',
      itemListElement: [
        { name: m.site_name(), item: url('/') },
        { name: product.category, item: url(`/buy/${product.categoryId}`) },
        { name: product.name, item: url(`/product/${product.id}`) },
      ].map((step, index) => ({ '@type': 'ListItem', position: index + 1, ...step })),
    },
  ]
}

/** For the home page: the site and the URL of its search. */
export function siteThings({ locale, origin }: { locale: Locale; origin: string }): object[] {
  const home = origin + localized('/', locale)
  return [
    {
      '@type': 'WebSite',
      name: m.site_name(),
      alternateName: ['Sandhai', 'சந்தை'],
      url: home,
      inLanguage: locale,
      potentialAction: {
        '@type': 'SearchAction',
        target: { '@type': 'EntryPoint', urlTemplate: `${origin}${localized('/buy/0', locale)}?q={search_term_string}` },
        'query-input': 'required name=search_term_string',
      },
    },
    { '@type': 'Organization', name: m.site_name(), url: home, logo: `${origin}/icon-180.png`, areaServed: 'Tamil Nadu' },
  ]
}

/** For a list: the URLs of its animals in order. Their own pages describe them. */
export function listThings(cards: { id: number }[], { locale, origin }: { locale: Locale; origin: string }): object[] {
  if (cards.length === 0) return []
  return [
    {
      '@type': 'ItemList',
      itemListElement: cards.map(({ id }, index) => ({
        '@type': 'ListItem',
        position: index + 1,
        url: origin + localized(`/product/${id}`, locale),
      })),
    },
  ]
}
