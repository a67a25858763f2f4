import { describe, expect, test } from 'vitest'
import { openRouterSite } from '../testing/router-site.tsx'
import { isDataPath, pagePathOf, pageQueryOf, ROUTES_QUERY } from './data-url.ts'

describe('the router', () => {
  const open = openRouterSite(() => Promise.resolve(new Response('a page', { headers: { 'Content-Type': 'text/html' } })))
  const typeOf = async (path: string) => (await open(path)).headers.get('content-type')

  test('answers with data at the addresses that count as data here, and with a page elsewhere', async () => {
    for (const path of ['/_.data', '/animals/7.data', '/animals/7.data?a=1']) {
      expect([path, isDataPath(new URL(path, 'https://x.test').pathname), await typeOf(path)]).toEqual([path, true, 'text/x-script'])
    }
    for (const path of ['/', '/animals/7']) expect([isDataPath(path), await typeOf(path)]).toEqual([false, 'text/html'])
  })

  test('reads the page from an address of data as we do', async () => {
    for (const path of ['/_.data', '/animals/7.data']) {
      const id = /\/animals\/(\d+)$/.exec(pagePathOf(path))?.[1] ?? 'home'
      expect(await (await open(path)).text()).toContain(`காளை ${id}`)
    }
  })

  test('loads only the routes that the query names', async () => {
    expect(await (await open(`/animals/7.data?${ROUTES_QUERY}=animal`)).text()).toContain('காளை 7')
    expect(await (await open(`/animals/7.data?${ROUTES_QUERY}=root`)).text()).not.toContain('காளை 7')
  })
})

test.each([
  ['/_.data', '/'],
  ['/en/_.data', '/en/'],
  ['/_root.data', '/'],
  ['/en.data', '/en'],
  ['/buy/0.data', '/buy/0'],
  ['/buy/0', '/buy/0'],
  ['/userprofile/7/data', '/userprofile/7/data'],
])('%s is the page %s', (path, page) => expect(pagePathOf(path)).toBe(page))

test('the query of a page is without what the router adds', () => {
  expect(String(pageQueryOf(new URLSearchParams('a=1&_routes=list&index&b=2')))).toBe('a=1&b=2')
})
