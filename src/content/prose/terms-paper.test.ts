import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { RouterContextProvider } from 'react-router'
import { expect, test } from 'vitest'
import { ctxContext, siteContext } from '#src/kit/context.ts'
import { projectRoot } from '#src/kit/base/project-root.server.ts'
import { testCtx } from '#tools/test-kit/test-ctx.ts'
import { pdfText } from '#tools/test-kit/pdf-text.ts'
import { blocksOf } from './text-blocks.ts'
import { textOf } from './prose-text.tsx'
import { shownSheet, termsPaper } from './terms-paper.server.ts'
import { loader as sheetLoader } from './terms-sheet.ts'

const ctxOf = (locale: 'ta' | 'en') => testCtx(null as never, { locale, publicOrigin: 'https://sandhai.test' })
const withoutBlanks = (text: string) => text.replace(/\s/g, '')

test.each(['ta', 'en'] as const)('the PDF contains every word of the terms as text that can be copied (%s)', (locale) => {
  const { pdf, pages } = termsPaper(ctxOf(locale))
  expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')
  const copied = withoutBlanks(pdfText(pdf))
  // Reads the source file directly: headings, paragraphs, points, and the words of links.
  const source = readFileSync(join(projectRoot, `content/${locale}/terms.mdx`), 'utf8')
  const lines = source.split('\n').map((line) =>
    line
      .replace(/^(#+|-) /, '')
      .replaceAll('**', '')
      .replace(/\[([^\]]+)\]\([^)]+\)/g, '$1')
      .trim(),
  )
  const wanted = lines.filter(Boolean)
  expect(wanted.length).toBeGreaterThan(40)
  for (const line of wanted) expect(sheetBreaksOut(copied), line.slice(0, 40)).toContain(sheetBreaksOut(withoutBlanks(line)))
  expect(pages.length).toBeGreaterThan(1)
  for (const page of pages) expect(page).toMatch(/^<svg viewBox="0 0 595[\d.]* 841[\d.]*".*<\/svg>$/s)
  // Each sheet embeds exactly the glyphs that it uses.
  for (const page of pages) {
    const used = new Set([...page.matchAll(/xlink:href="#(\w+)"/g)].map(([, id]) => id))
    const carried = [...page.matchAll(/<symbol id="(\w+)"/g)].map(([, id]) => id)
    expect(new Set(carried)).toEqual(used)
  }
})

/** Removes the footer that a sheet break puts between the words of a paragraph. */
const sheetBreaksOut = (text: string) => text.replace(/sandhai\.test(\/en)?\/terms·\d\/\d/g, '')

test('the PDF is made once per language', () => {
  expect(termsPaper(ctxOf('ta'))).toBe(termsPaper(ctxOf('ta')))
  expect(termsPaper(ctxOf('ta'))).not.toBe(termsPaper(ctxOf('en')))
})

test('any number in the address leads to an existing sheet', () => {
  const { pages } = termsPaper(ctxOf('en'))
  expect(shownSheet(ctxOf('en'), null)).toEqual({ page: 1, pages: pages.length })
  expect(shownSheet(ctxOf('en'), '2')).toEqual({ page: 2, pages: pages.length })
  expect(shownSheet(ctxOf('en'), '99')).toEqual({ page: pages.length, pages: pages.length })
  for (const odd of ['0', '-1', 'x', '1e1', '100']) expect(shownSheet(ctxOf('en'), odd)!.page).toBe(1)
})

test('the address of a missing sheet redirects to the text', async () => {
  const context = new RouterContextProvider()
  context.set(ctxContext, ctxOf('en'))
  context.set(siteContext, null as never)
  const open = (number: string) =>
    sheetLoader({ request: new Request(`https://sandhai.test/en/terms/page/${number}`), params: { number }, context }).catch(
      (error: unknown) => error as Response,
    )
  expect((await open('1')).headers.get('Content-Type')).toContain('image/svg+xml')
  for (const number of ['99', '0', 'x']) {
    const { status, headers } = await open(number)
    expect([status, headers.get('Location')]).toEqual([302, '/en/terms'])
  }
})

test('an element that paper cannot show raises an error instead of losing a sentence', () => {
  const blocks = blocksOf(textOf('terms', 'en')({}))
  expect(blocks.filter(({ kind }) => kind === 'heading')).toHaveLength(13)
  expect(() => blocksOf(textOf('privacy-policy', 'en')({ components: { Grievance: () => null } }))).toThrow('cannot be set on paper')
})
