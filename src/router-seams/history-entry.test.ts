import { createBrowserRouter } from 'react-router'
import { afterEach, expect, test, vi } from 'vitest'
import { replaceAddress } from './history-entry.ts'

afterEach(() => void vi.unstubAllGlobals())

test("a change of the query keeps the router's state in the history entry", () => {
  const entry: { state: unknown; url: string } = { state: null, url: '/product/1' }
  const history = {
    get state() {
      return entry.state
    },
    replaceState: (state: unknown, _: string, url?: string) => Object.assign(entry, { state, ...(url && { url }) }),
  }
  const location = { origin: 'https://sandhai.test', href: 'https://sandhai.test/product/1', pathname: '/product/1', search: '', hash: '' }
  const window = {
    location,
    history,
    document: { createElement: () => {}, defaultView: null },
    addEventListener: () => {},
    removeEventListener: () => {},
  }
  vi.stubGlobal('window', window)
  const router = createBrowserRouter([{ path: '*' }], { window: window as unknown as Window })
  const ofRouter = entry.state
  expect(ofRouter).toMatchObject({ idx: 0 })
  replaceAddress('?tab=vet', history as unknown as History)
  expect(entry).toEqual({ state: ofRouter, url: '?tab=vet' })
  router.dispose()
})
