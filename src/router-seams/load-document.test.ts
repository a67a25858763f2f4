import { expect, test, vi } from 'vitest'
import { loadDocument } from './load-document.ts'

test('a client-side navigation to such a page loads its document; going back reloads it', () => {
  const loaded: string[] = []
  const currentUrl = 'http://site.test/wanted'
  vi.stubGlobal('location', { href: currentUrl, assign: (url: string) => loaded.push(url), reload: () => loaded.push('again') })
  void loadDocument({ request: new Request('http://site.test/buy/0') })
  void loadDocument({ request: new Request(currentUrl) })
  vi.unstubAllGlobals()
  expect(loaded).toEqual(['http://site.test/buy/0', 'again'])
})
