import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { fromBytes, toBytes } from './rendered-html.server.ts'
import { withLateScripts } from './late-scripts.server.ts'
import { START_APP } from './start-app.ts'

const written = '<head></head><body><script nonce="N" type="module" async="">import("/assets/entry.js")</script></body>'
const inline = /<script nonce="N">([\s\S]*?)<\/script>/.exec(fromBytes(withLateScripts(toBytes(Buffer.from(written)), 'N')).toString())![1]!

/** The page as the inline script sees it. `hasNow`: an element needs React at once. */
function openPage({ start, hasNow = false }: { start?: 'on-demand'; hasNow?: boolean }) {
  const listeners: Record<string, ((event: object) => void)[]> = {}
  const started: string[] = []
  const late = { id: 'late', text: 'the app' }
  const document = {
    documentElement: { dataset: { start } as Record<string, string | undefined> },
    forms: [],
    readyState: 'complete',
    currentScript: { nonce: 'N' },
    head: { append: (script: { text: string }) => started.push(script.text) },
    createElement: () => ({ remove: () => {} }),
    getElementById: (id: string) => (late.id === id ? late : null),
    querySelector: () => (hasNow ? {} : null),
  }
  const listen = (name: string, listener: (event: object) => void) => (listeners[name] = [...(listeners[name] ?? []), listener])
  const unlisten = (name: string, listener: unknown) => (listeners[name] = listeners[name]!.filter((other) => other !== listener))
  const context = {
    document,
    addEventListener: listen,
    removeEventListener: unlisten,
    clearTimeout: () => {},
    setTimeout: () => 0,
    navigator: { onLine: true },
  }
  runInNewContext(inline, context)
  const fire = (name: string, isInApp: boolean, isScripted = false) => {
    const closest = (selector: string) => (isInApp && selector === '[data-app]' ? {} : null)
    const matches = (selector: string) => isScripted && selector === '[data-scripted]'
    const target = { closest, matches, dataset: {}, method: 'get' }
    let isHeld = false
    const event = { target, submitter: null, preventDefault: () => (isHeld = true), stopImmediatePropagation: () => {} }
    for (const listener of listeners[name] ?? []) listener(event)
    return isHeld
  }
  return { started, fire }
}

test('without on-demand, React starts with the page', () => {
  expect(openPage({}).started).toEqual(['the app'])
})

test('on demand, React starts once when its part is touched', () => {
  const { started, fire } = openPage({ start: 'on-demand' })
  for (const sign of ['pointerdown', 'keydown', 'click', 'focusin']) fire(sign, false)
  expect(started).toEqual([])
  fire('pointerdown', true)
  fire('click', true)
  expect(started).toEqual(['the app'])
})

test('on demand, React starts when a page script requests it or an element needs it at once', () => {
  const { started, fire } = openPage({ start: 'on-demand' })
  fire(START_APP, false)
  expect(started).toEqual(['the app'])
  expect(openPage({ start: 'on-demand', hasNow: true }).started).toEqual(['the app'])
})

test("on demand, the browser handles a form outside React's parts; a form inside is held for React, and a scripted one for the page’s script", () => {
  const { fire } = openPage({ start: 'on-demand' })
  expect(fire('submit', false)).toBe(false)
  expect(fire('submit', true)).toBe(true)
  expect(fire('submit', false, true)).toBe(true)
})
