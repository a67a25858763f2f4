import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { projectRoot } from '#src/kit/base/project-root.server.ts'
import { findBreed } from '#src/storefront/breeds/breed-paths.ts'
import { patternFinder } from '#src/server/route-patterns.ts'
import { pageTable } from '#src/page-table.ts'
import { isIndexed, proseSlugOf, proseSlugs } from './prose.ts'

const read = (locale: 'ta' | 'en', slug: string) => readFileSync(join(projectRoot, `content/${locale}/${slug}.mdx`), 'utf8')
const count = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].length
const linksIn = (text: string) => [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, href]) => href!)

/** Names, units and signs that people in Tamil Nadu write in Latin letters. */
const LATIN = new Set(['PIN', 'SMS', 'OTP', 'UPI', 'PAN', 'IP', 'KVK', 'TANUVAS', 'WhatsApp'])

describe('the prose pages', () => {
  test('exist in both languages, and no other files do', () => {
    for (const locale of ['ta', 'en'] as const)
      expect(readdirSync(join(projectRoot, 'content', locale)).toSorted(), locale).toEqual(
        proseSlugs.map((slug) => `${slug}.mdx`).toSorted(),
      )
  })

  test.each(proseSlugs)('%s has the same headings, points, steps and links in both languages', (slug) => {
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
    // Long enough to be worth reading, in both languages.
    for (const text of [ta, en]) expect(text.length).toBeGreaterThan(900)
  })

  test.each(['goat-farming-in-coimbatore', 'pet-shops-in-coimbatore', 'farm-animals-pets-in-coimbatore', 'indian-milk-cow-breeds-sale'])(
    '%s covers the law, buyers, what to put in writing and bargaining, in sentences that no other page has',
    (slug) => {
      for (const [locale, titles] of Object.entries({
        en: [/law|papers/i, /buyer|whom|who may/i, /writing|paper|agreement/i, /bargain/i],
        ta: [/சட்டம்|தாள்கள்/, /யாருக்கு|வாங்குபவர|வாங்க வருபவர்/, /எழுத்தில்|தாள்|ஒப்பந்தம்/, /பேரம்/],
      })) {
        const parts = read(locale as 'ta' | 'en', slug)
          .split(/^## /m)
          .slice(-4)
        for (const [n, part] of parts.entries()) {
          const [title, ...words] = part.split('\n')
          expect(title).toMatch(titles[n]!)
          expect(words.join(' ').match(/[.;:](\s|$)/g)!.length, title).toBeGreaterThanOrEqual(4)
          for (const other of proseSlugs.filter((each) => each !== slug))
            for (const sentence of words
              .join(' ')
              .split(/(?<=\.) /)
              .filter(({ length }) => length > 40))
              expect(read(locale as 'ta' | 'en', other)).not.toContain(sentence)
        }
      }
    },
  )

  test('the page on invitations says what friend and inviter get, when, and that nothing is paid out', () => {
    for (const [locale, words] of Object.entries({
      en: ['5,000', '₹25', '₹150', 'registers', 'is delivered', 'Nothing is paid out'],
      ta: ['5,000', '₹25', '₹150', 'பதிவு செய்து', 'ஒப்படைக்கப்பட்டதும்', 'ரொக்கமாக எதுவும் தரப்படாது'],
    }))
      for (const word of words) expect(read(locale as 'ta' | 'en', 'services'), `${locale}: ${word}`).toContain(word)
  })

  test.each(proseSlugs)('the Tamil text of %s is in Tamil, the English one in English', (slug) => {
    const plain = read('ta', slug)
      .replace(/\]\([^)]+\)/g, ']')
      .replace(/<\w+ \/>/g, '')
    const latin = [...plain.matchAll(/[A-Za-z][A-Za-z]*/g)].map(([word]) => word).filter((word) => !LATIN.has(word))
    expect(latin).toEqual([])
    expect(plain.normalize('NFC')).toBe(plain)
    // The English text may write only the market's name in Tamil letters.
    expect(read('en', slug).replaceAll('சந்தை', '')).not.toMatch(/[\u0B80-\u0BFF]/)
  })

  test('link only to existing pages', () => {
    const patternOf = patternFinder(pageTable.map(({ path }) => `en?/${path}`))
    for (const slug of proseSlugs)
      for (const locale of ['ta', 'en'] as const)
        for (const href of linksIn(read(locale, slug))) {
          const path = href.replace(/[?#].*$/, '')
          expect(patternOf(path), `${locale}/${slug}: ${href}`).not.toBeNull()
          const breed = /^\/breeds\/(.+)$/.exec(path)?.[1]
          if (breed) expect(findBreed(breed), href).not.toBeNull()
        }
  })

  test('are found in any letter case; search engines may list all but the page for areas that we do not serve', () => {
    expect(proseSlugOf('AboutUs')).toBe('aboutus')
    expect(proseSlugOf('about')).toBeNull()
    expect(proseSlugOf(undefined)).toBeNull()
    expect(proseSlugs.filter((slug) => !isIndexed(slug))).toEqual(['coming-soon'])
  })
})

describe('an address is matched to its route pattern', () => {
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
