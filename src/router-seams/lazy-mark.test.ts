import { createElement, lazy, Suspense, type ComponentType } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { hasLazyMark } from './lazy-mark.server.ts'

const page = (part: ComponentType) =>
  renderToString(createElement('main', null, createElement(Suspense, { fallback: null }, createElement(part))))

test('a lazy component leaves a mark until it is loaded', async () => {
  const loading = Promise.resolve({ default: () => createElement('p', null, 'காளை') })
  const part = lazy(() => loading)
  expect(hasLazyMark(page(part))).toBe(true)
  await loading
  await new Promise(setImmediate)
  const html = page(part)
  expect([html.includes('<p>காளை</p>'), hasLazyMark(html)]).toEqual([true, false])
})

test('a page without lazy components has no mark', () => {
  expect(hasLazyMark(page(() => createElement('p')))).toBe(false)
})
