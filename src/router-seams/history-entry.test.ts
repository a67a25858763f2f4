import { createBrowserRouter } from 'react-router'
import { afterEach, expect, test, vi } from 'vitest'
import { rememberInEntry, replaceQuery } from './history-entry.ts'

/** As much of a browser's window as a router needs; `back` does what its button does. */
function fakeWindow() {
  const entries: { url: string; state: unknown }[] = [{ url: '/', state: null }]
  let at = 0
  const listeners = new Set<() => void>()
  const location = { origin: 'https://sandhai.test', href: '', pathname: '/', search: '', hash: '', assign() {}, replace() {} }
  const show = () => Object.assign(location, { pathname: entries[at]!.url, href: `https://sandhai.test${entries[at]!.url}` })
  show()
  const history = {
    get state() {
      return entries[at]!.state
    },
    pushState: (state: unknown, _: string, url: string) => {
      entries.splice(++at, Infinity, { url, state: structuredClone(state) })
      show()
    },
    replaceState: (state: unknown, _: string, url?: string) => {
      entries[at] = { url: url ?? entries[at]!.url, state: structuredClone(state) }
      show()
    },
    go: (by: number) => {
      at += by
      show()
      for (const listener of listeners) listener()
    },
  }
  const window = {
    location,
    history,
    document: { createElement: () => {}, defaultView: null },
    addEventListener: (name: string, listener: () => void) => void (name === 'popstate' && listeners.add(listener)),
    removeEventListener: (_: string, listener: () => void) => void listeners.delete(listener),
  }
  vi.stubGlobal('window', window)
  return { window: window as unknown as Window, history: history as unknown as History }
}

afterEach(() => void vi.unstubAllGlobals())

test('what is added to an entry is the state of its page when somebody comes back to it', async () => {
  const { window, history } = fakeWindow()
  const router = createBrowserRouter([{ path: '/' }, { path: '/list' }, { path: '/animal' }], { window })
  try {
    await router.navigate('/list')
    const { key } = router.state.location
    rememberInEntry(key, { added: [1, 2] }, history)
    await router.navigate('/animal')
    // The history is at another entry by now: nothing is written to it.
    rememberInEntry(key, { added: [3] }, history)
    const isBack = new Promise<void>((resolve) => {
      router.subscribe(({ location, navigation }) => location.pathname === '/list' && navigation.state === 'idle' && resolve())
    })
    history.go(-1)
    await isBack
    expect(router.state.location).toMatchObject({ pathname: '/list', key, state: { added: [1, 2] } })
  } finally {
    router.dispose()
  }
})

test('the first entry, which has no key yet, is the one that the router calls default', () => {
  const { window, history } = fakeWindow()
  const router = createBrowserRouter([{ path: '/' }], { window })
  rememberInEntry(router.state.location.key, { added: [1] }, history)
  expect(history.state).toMatchObject({ usr: { added: [1] } })
  router.dispose()
})

test('another query in the address keeps what the router has in the entry', () => {
  const { history } = fakeWindow()
  history.replaceState({ key: 'abc', idx: 3 }, '', '/product/1')
  replaceQuery('?tab=vet', history)
  expect(history.state).toEqual({ key: 'abc', idx: 3 })
  expect(window.location.pathname).toBe('?tab=vet')
})
