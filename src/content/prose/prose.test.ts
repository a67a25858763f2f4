import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { projectRoot } from '../kit/project-root.server.ts'
import { findBreed } from '../listings/breed-paths.ts'
import { patternFinder } from './route-patterns.ts'
import { isIndexed, proseSlugOf, proseSlugs } from './prose.ts'

const read = (locale: 'ta' | 'en', slug: string) => readFileSync(join(projectRoot, `content/${locale}/${slug}.mdx`), 'utf8')
const count = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].length
const linksIn = (text: string) => [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, href]) => href!)

/** Names, and units and signs that people in Tamil Nadu write in Latin letters themselves. */
const LATIN = new Set(['PIN', 'SMS', 'OTP', 'UPI', 'PAN', 'IP', 'KVK', 'TANUVAS', 'WhatsApp'])

describe('the pages of words', () => {
  test('are there in both languages, and no others', () => {
    for (const locale of ['ta', 'en'] as const)
      expect(readdirSync(join(projectRoot, 'content', locale)).toSorted(), locale).toEqual(
        proseSlugs.map((slug) => `${slug}.mdx`).toSorted(),
      )
  })

  test.each(proseSlugs)('%s says the same in both: headings, points, steps, links', (slug) => {
    const [ta, en] = [read('ta', slug), read('en', slug)]
    for (const [what, pattern] of Object.entries({
      heading: /^#{2,3} /gm,
      point: /^- /gm,
      step: /^\d+\. /gm,
      bold: /\*\*[^*]+\*\*/g,
      part: /^<\w+ \/>/gm,
    }))
      expect(count(ta, pattern), what).toBe(count(en, pattern))
    expect(new Set(linksIn(ta))).toEqual(new Set(linksIn(en)))
    // Something to read, in both.
    for (const text of [ta, en]) expect(text.length).toBeGreaterThan(900)
  })

  test.each(proseSlugs)('%s is Tamil in Tamil and English in English', (slug) => {
    const plain = read('ta', slug)
      .replace(/\]\([^)]+\)/g, ']')
      .replace(/<\w+ \/>/g, '')
    const latin = [...plain.matchAll(/[A-Za-z][A-Za-z]*/g)].map(([word]) => word).filter((word) => !LATIN.has(word))
    expect(latin).toEqual([])
    expect(plain.normalize('NFC')).toBe(plain)
    // The market's own name stands in Tamil letters once.
    expect(read('en', slug).replaceAll('சந்தை', '')).not.toMatch(/[\u0B80-\u0BFF]/)
  })

  test('lead only to pages that there are', () => {
    const routes = readFileSync(join(projectRoot, 'src/routes.ts'), 'utf8')
    const paths = [...routes.matchAll(/page\('([^']+)'/g)].map(([, path]) => `en?/${path}`)
    const patternOf = patternFinder(['en?', ...paths])
    for (const slug of proseSlugs)
      for (const locale of ['ta', 'en'] as const)
        for (const href of linksIn(read(locale, slug))) {
          const path = href.replace(/[?#].*$/, '')
          expect(patternOf(path), `${locale}/${slug}: ${href}`).not.toBeNull()
          const breed = /^\/breeds\/(.+)$/.exec(path)?.[1]
          if (breed) expect(findBreed(breed), href).not.toBeNull()
        }
  })

  test('are found in any letter case, and only the word for areas that we do not serve is kept from engines', () => {
    expect(proseSlugOf('AboutUs')).toBe('aboutus')
    expect(proseSlugOf('about')).toBeNull()
    expect(proseSlugOf(undefined)).toBeNull()
    expect(proseSlugs.filter((slug) => !isIndexed(slug))).toEqual(['coming-soon'])
  })
})

describe('an address goes by its pattern', () => {
  const patternOf = patternFinder([
    'en?',
    'en?/buy/:typeId',
    'en?/product/:productId',
    'en?/product/related/:productId',
    'en?/terms.pdf',
    'en?/:page',
    '*',
  ])
  test.each([
    ['/', '/'],
    ['/buy/0', '/buy/:typeId'],
    ['/Buy/12/', '/buy/:typeId'],
    ['/product/related/7', '/product/related/:productId'],
    ['/product/7', '/product/:productId'],
    ['/terms.pdf', '/terms.pdf'],
    ['/termsxpdf', null],
    ['/terms', '/terms'],
    ['/aboutus/', '/aboutus'],
    ['/somebody@example.com', null],
    ['/a/b/c/d', null],
  ])('%s: %s', (path, pattern) => expect(patternOf(path)).toBe(pattern))
})
