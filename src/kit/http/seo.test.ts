import { expect, test } from 'vitest'
import { canonicalPath, pageMeta, shorten } from './seo.ts'

const facts = {
  title: 'Bull',
  description: 'A bull',
  keywords: 'bull',
  path: '/product/42',
  locale: 'en' as const,
  origin: 'https://sandhai.test',
  siteName: 'Sandhai',
}
const contentOf = (tags: ReturnType<typeof pageMeta>, name: string) =>
  tags.flatMap((tag) => {
    const { property, name: key, content } = tag as Record<string, string>
    return property === name || key === name ? [content] : []
  })

test('a link preview gets the picture, its size and its alt text without loading it', () => {
  const tags = pageMeta({ ...facts, image: { path: '/share/42-en-0123456789.jpg', alt: 'A grey bull' } })
  expect(contentOf(tags, 'og:image')).toEqual(['https://sandhai.test/share/42-en-0123456789.jpg'])
  expect(contentOf(tags, 'og:image:width')).toEqual(['1200'])
  expect(contentOf(tags, 'og:image:height')).toEqual(['630'])
  expect(contentOf(tags, 'og:image:type')).toEqual(['image/jpeg'])
  expect(contentOf(tags, 'og:image:alt')).toEqual(['A grey bull'])
  expect(contentOf(tags, 'twitter:card')).toEqual(['summary_large_image'])
})

test('a page without its own picture uses the site’s', () => {
  expect(contentOf(pageMeta(facts), 'og:image')).toEqual(['https://sandhai.test/share.jpg'])
})

test('each language links to itself and to the other one', () => {
  const links = pageMeta(facts).flatMap((tag) => ('tagName' in tag ? [[tag.rel, tag.hrefLang, tag.href]] : []))
  expect(links).toEqual([
    ['canonical', undefined, 'https://sandhai.test/en/product/42'],
    ['alternate', 'ta-IN', 'https://sandhai.test/product/42'],
    ['alternate', 'en-IN', 'https://sandhai.test/en/product/42'],
    ['alternate', 'x-default', 'https://sandhai.test/product/42'],
  ])
  expect(contentOf(pageMeta(facts), 'og:locale')).toEqual(['en_IN'])
})

test('only pages with noIndex stay out of search engines', () => {
  expect(contentOf(pageMeta(facts), 'robots')).toEqual([])
  expect(contentOf(pageMeta({ ...facts, noIndex: true }), 'robots')).toEqual(['noindex'])
})

test('keywords are words: those of the title that are not among the others, and not the title', () => {
  const keywords = (title: string, of: string) => contentOf(pageMeta({ ...facts, title, keywords: of }), 'keywords')
  expect(keywords('Kangayam cow, white cow 12', 'livestock, Kangayam')).toEqual(['cow, white, 12, livestock, Kangayam'])
  expect(keywords('மாடுகள்', 'மாடுகள், விற்பனை')).toEqual(['மாடுகள், விற்பனை'])
})

test.each([
  ['/Buy/0/', '/buy/0'],
  ['/en/Buy/0', '/buy/0'],
  ['/', '/'],
  ['/en/', '/'],
])('%s has the canonical path %s', (path, spelling) => expect(canonicalPath(path)).toBe(spelling))

test('a shortened description ends between words', () => {
  expect(shorten('one two three', 9)).toBe('one two…')
  expect(shorten(' one\n two ', 20)).toBe('one two')
})
