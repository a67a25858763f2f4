import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bare, localeOfPath, localized } from './locale.ts'
import { canonicalPath, pageMeta, shorten } from '#src/kit/http/seo.ts'

describe('the language of a path', () => {
  test.each([
    ['/', 'ta', '/'],
    ['/en', 'en', '/'],
    ['/en/', 'en', '/'],
    ['/EN/Buy/0', 'en', '/Buy/0'],
    ['/enquiries', 'ta', '/enquiries'],
    ['/en/enquiries', 'en', '/enquiries'],
    ['/buy/en/0', 'ta', '/buy/en/0'],
  ])('%s is %s, its bare path %s', (path, locale, page) => {
    expect(localeOfPath(path)).toBe(locale)
    expect(bare(path)).toBe(page)
  })

  test.each([
    ['/', '/en'],
    ['/?q=1', '/en?q=1'],
    ['/#content', '/en#content'],
    ['/buy/0?q=en', '/en/buy/0?q=en'],
  ])('%s in English is %s, and unchanged in Tamil', (path, english) => {
    expect(localized(path, 'en')).toBe(english)
    expect(localized(path, 'ta')).toBe(path)
  })

  test('every page has one path in each language, and both map back to it', () => {
    const segment = fc.stringMatching(/^[a-z0-9-]{1,8}$/).filter((text) => text !== 'en')
    fc.assert(
      fc.property(fc.array(segment, { maxLength: 4 }), (segments) => {
        const page = `/${segments.join('/')}`
        for (const locale of ['ta', 'en'] as const) {
          expect(bare(localized(page, locale))).toBe(page)
          expect(localeOfPath(localized(page, locale))).toBe(locale)
        }
      }),
    )
  })

  test.each(['//evil.example/', '/en//evil.example/', '/en///evil.example', '///evil.example', '/en//'])(
    'the bare path of %s stays on our own site, so a redirect cannot leave it',
    (path) => {
      for (const locale of ['ta', 'en'] as const)
        expect(new URL(localized(bare(path), locale), 'https://sandhai.test').origin).toBe('https://sandhai.test')
    },
  )
})

describe('the canonical path of a page', () => {
  test.each([
    ['/', '/'],
    ['/en', '/'],
    ['/Buy/0/', '/buy/0'],
    ['/EN/BUY/0//', '/buy/0'],
    ['//', '/'],
    ['/en/', '/'],
  ])('%s is %s', (path, canonical) => expect(canonicalPath(path)).toBe(canonical))

  test('is idempotent', () => {
    fc.assert(fc.property(fc.webPath(), (path) => canonicalPath(canonicalPath(path)) === canonicalPath(path)))
  })

  test('both languages link to each other and to themselves, and Tamil is the default', () => {
    const facts = { title: 'Cows', description: 'd', keywords: 'k', path: '/buy/1', origin: 'https://sandhai.test', siteName: 'Sandhai' }
    for (const locale of ['ta', 'en'] as const) {
      const links = pageMeta({ ...facts, locale }).filter((tag) => 'rel' in tag)
      expect(links).toContainEqual(
        expect.objectContaining({
          rel: 'canonical',
          href: locale === 'ta' ? 'https://sandhai.test/buy/1' : 'https://sandhai.test/en/buy/1',
        }),
      )
      const alternates = Object.fromEntries(
        links.filter((tag) => 'hrefLang' in tag).map((tag) => [(tag as { hrefLang: string }).hrefLang, (tag as { href: string }).href]),
      )
      expect(alternates).toEqual({
        'ta-IN': 'https://sandhai.test/buy/1',
        'en-IN': 'https://sandhai.test/en/buy/1',
        'x-default': 'https://sandhai.test/buy/1',
      })
    }
  })

  test('only a page without its own content has noindex', () => {
    const facts = {
      title: 't',
      description: 'd',
      keywords: 'k',
      path: '/',
      origin: 'https://sandhai.test',
      siteName: 's',
      locale: 'ta' as const,
    }
    const robots = (noIndex: boolean) => pageMeta({ ...facts, noIndex }).filter((tag) => 'name' in tag && tag.name === 'robots')
    expect(robots(false)).toEqual([])
    expect(robots(true)).toEqual([{ name: 'robots', content: 'noindex' }])
  })

  test('a description is cut at a word, is never longer than asked for, and stays whole when it fits', () => {
    expect(shorten('  A  calm\ncow ', 20)).toBe('A calm cow')
    expect(shorten('A calm cow in milk', 12)).toBe('A calm cow…')
    fc.assert(
      fc.property(fc.lorem({ maxCount: 40 }), fc.integer({ min: 20, max: 80 }), (text, max) => shorten(text, max).length <= max + 1),
    )
  })
})
