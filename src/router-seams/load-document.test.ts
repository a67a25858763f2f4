import { expect, test, vi } from 'vitest'
import { loadDocument } from './load-document.ts'

test('a client-side navigation to such a page loads its document, and going back loads it again', () => {
  const asked: string[] = []
  const here = 'http://site.test/wanted'
  vi.stubGlobal('location', { href: here, assign: (url: string) => asked.push(url), reload: () => asked.push('again') })
  void loadDocument({ request: new Request('http://site.test/buy/0') })
  void loadDocument({ request: new Request(here) })
  vi.unstubAllGlobals()
  expect(asked).toEqual(['http://site.test/buy/0', 'again'])
})
