import { describe, expect, test } from 'vitest'
import { openRouterSite } from '#tools/test-kit/router-site.tsx'
import { isDataPath, pagePathOf, pageQueryOf, ROUTES_QUERY } from './data-url.ts'

describe('the router', () => {
  const open = openRouterSite(() => Promise.resolve(new Response('a page', { headers: { 'Content-Type': 'text/html' } })))
  const typeOf = async (path: string) => (await open(path)).headers.get('content-type')

  test('answers with data at paths that isDataPath accepts, and with a page elsewhere', async () => {
    for (const path of ['/_.data', '/animals/7.data', '/animals/7.data?a=1']) {
      expect([path, isDataPath(new URL(path, 'https://x.test').pathname), await typeOf(path)]).toEqual([path, true, 'text/x-script'])
    }
    for (const path of ['/', '/animals/7']) expect([isDataPath(path), await typeOf(path)]).toEqual([false, 'text/html'])
  })

  test('maps a data URL to the same page as pagePathOf', async () => {
    for (const path of ['/_.data', '/animals/7.data']) {
      const id = /\/animals\/(\d+)$/.exec(pagePathOf(path))?.[1] ?? 'home'
      expect(await (await open(path)).text()).toContain(`காளை ${id}`)
    }
  })

  test('loads only the routes in the query', async () => {
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
])('%s belongs to the page %s', (path, page) => expect(pagePathOf(path)).toBe(page))

test("the query of a page excludes the router's own parameters", () => {
  expect(String(pageQueryOf(new URLSearchParams('a=1&_routes=list&index&b=2')))).toBe('a=1&b=2')
})
