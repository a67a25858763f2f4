import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { createRoutesStub, Meta } from 'react-router'
import { describe, expect, test } from 'vitest'
import { inLocale } from '#src/kit/http/page-locale.server.ts'
import { rupees } from '#src/kit/time-money/money.ts'
import { pageMeta } from '#src/kit/http/seo.ts'
import { listThings, productThings, siteThings, type DescribedProduct } from './structured-data.ts'

const origin = 'https://sandhai.test'
const bull: DescribedProduct = {
  id: 42,
  code: 'COW-00042',
  name: 'Kangayam bull',
  description: 'Good for the plough',
  category: 'Cattle',
  categoryId: 1,
  breed: 'Kangayam',
  age: '4-5 Years',
  gender: 'Male',
  weightKg: 420,
  originalPrice: rupees(95_000),
  offerPrice: rupees(85_000.5),
  availability: 'available',
  place: { taluk: 'Dharapuram', district: 'Tiruppur', state: 'Tamil Nadu' },
  photos: [{ key: 'a'.repeat(20) }],
  seller: { name: 'Murugesan', stars: 4.5, ratings: 2 },
  locale: 'en',
  origin,
}
const inEnglish = <T>(act: () => T) => inLocale('en', act)
const thingsOf = (change: Partial<DescribedProduct> = {}) => inEnglish(() => productThings({ ...bull, ...change }))

test('an animal has all properties that search engines require of a product', () => {
  expect(thingsOf()).toEqual([
    {
      '@type': 'Product',
      name: 'Kangayam bull',
      description: 'Good for the plough',
      sku: 'COW-00042',
      category: 'Cattle',
      url: `${origin}/en/product/42`,
      image: [`${origin}/media/${'a'.repeat(20)}-1280.jpg`],
      weight: { '@type': 'QuantitativeValue', value: 420, unitCode: 'KGM' },
      additionalProperty: [
        { '@type': 'PropertyValue', name: 'Breed', value: 'Kangayam' },
        { '@type': 'PropertyValue', name: 'Age', value: '4-5 Years' },
        { '@type': 'PropertyValue', name: 'Gender', value: 'Male' },
      ],
      offers: {
        '@type': 'Offer',
        url: `${origin}/en/product/42`,
        price: '85000.5',
        priceCurrency: 'INR',
        availability: 'https://schema.org/InStock',
        availableAtOrFrom: {
          '@type': 'Place',
          address: {
            '@type': 'PostalAddress',
            addressLocality: 'Dharapuram, Tiruppur',
            addressRegion: 'Tamil Nadu',
            addressCountry: 'IN',
          },
        },
        seller: {
          '@type': 'Organization',
          name: 'Murugesan',
          aggregateRating: { '@type': 'AggregateRating', ratingValue: 4.5, ratingCount: 2 },
        },
      },
    },
    {
      '@type': 'BreadcrumbList',
      itemListElement: [
        { '@type': 'ListItem', position: 1, name: 'சந்தை · Sandhai', item: `${origin}/en` },
        { '@type': 'ListItem', position: 2, name: 'Cattle', item: `${origin}/en/buy/1` },
        { '@type': 'ListItem', position: 3, name: 'Kangayam bull', item: `${origin}/en/product/42` },
      ],
    },
  ])
})

test.each([
  ['sold', 'SoldOut'],
  ['closed', 'Discontinued'],
] as const)('a %s animal has the availability %s', (availability, word) => {
  expect(JSON.stringify(thingsOf({ availability }))).toContain(`"availability":"https://schema.org/${word}"`)
})

test('unknown facts are omitted: no weight, breed or rating is invented', () => {
  const text = JSON.stringify(
    thingsOf({ weightKg: 0, breed: null, age: null, gender: null, seller: { name: 'M', stars: null, ratings: 0 } }),
  )
  expect(text).not.toMatch(/weight|additionalProperty|aggregateRating|null/)
})

test('an animal without photos uses the site’s picture, because a product needs one', () => {
  expect(thingsOf({ photos: [] })[0]).toMatchObject({ image: [`${origin}/share.jpg`] })
})

test('the Tamil page uses Tamil names and the Tamil URL', () => {
  const [product] = inLocale('ta', () => productThings({ ...bull, locale: 'ta' })) as [
    { additionalProperty: { name: string }[]; url: string },
  ]
  expect(product.additionalProperty.map(({ name }) => name)).toEqual(['இனம்', 'வயது', 'பாலினம்'])
  expect(product.url).toBe(`${origin}/product/42`)
})

test("the home page gives the market's name and the URL of its search", () => {
  const [site] = inEnglish(() => siteThings({ locale: 'en', origin })) as [{ potentialAction: { target: { urlTemplate: string } } }]
  expect(site.potentialAction.target.urlTemplate).toBe(`${origin}/en/buy/0?q={search_term_string}`)
})

test('a list gives the URLs of its animals in order; an empty list gives nothing', () => {
  expect(listThings([{ id: 3 }, { id: 1 }], { locale: 'ta', origin })).toEqual([
    {
      '@type': 'ItemList',
      itemListElement: [
        { '@type': 'ListItem', position: 1, url: `${origin}/product/3` },
        { '@type': 'ListItem', position: 2, url: `${origin}/product/1` },
      ],
    },
  ])
  expect(listThings([], { locale: 'ta', origin })).toEqual([])
})

describe('hostile text of a seller', () => {
  const evil = '</script><script>alert(1)</script><!-- \u2028\u2029 " \\ &lt;'

  test('stays data inside the page and parses back unchanged', () => {
    const about = thingsOf({ name: evil })
    const meta = () => pageMeta({ title: 't', description: 'd', keywords: 'k', path: '/', locale: 'en', origin, siteName: 's', about })
    const Page = createRoutesStub([{ path: '/', Component: () => createElement(Meta), meta } as never])
    const html = renderToStaticMarkup(createElement(Page))
    const blocks = [...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)].map(([, json]) => json!)
    expect(blocks).toHaveLength(2)
    expect(blocks.join('')).not.toMatch(/[<>\u2028\u2029]/)
    expect(html.match(/<script/g)).toHaveLength(2)
    expect(JSON.parse(blocks[0]!)).toMatchObject({ '@context': 'https://schema.org', '@type': 'Product', name: evil })
  })
})
