import { createContext, createElement, use, type ReactElement } from 'react'
import { renderToString } from 'react-dom/server'
import { Link, useLocation } from 'react-router'
import { expect, test } from 'vitest'
import { renderSlot } from './prerendered-slots.server.tsx'

const footer = createElement('p', null, 'சந்தை ', createElement(Link, { to: '/aboutus' }, 'About'))

test("a slot is plain markup with working links and without React's marks", () => {
  expect(renderSlot('footer', '/', footer, false)).toBe('<p>சந்தை <a href="/aboutus" data-discover="true">About</a></p>')
})

test('a slot stands at the home page of its language', () => {
  const Here = () => useLocation().pathname
  expect(renderSlot('here', '/en', createElement(Here), true)).toBe('/en')
  expect(renderSlot('here', '/', createElement(Here), true)).toBe('/')
})

test("React inserts the slot's HTML unchanged", () => {
  const html = renderSlot('footer', '/', footer, false)
  const page = createElement('div', { dangerouslySetInnerHTML: { __html: html }, suppressHydrationWarning: true })
  expect(renderToString(page)).toBe(`<div>${html}</div>`)
})

test('a slot can read a context, and have slots of its own', () => {
  const Render = createContext<typeof renderSlot | null>(null)
  const Rows = () => {
    const render = use(Render)!
    const rows = ['பசு', 'ஆடு'].map((name) => render('row', '/', createElement('li', null, name), false))
    return createElement('ul', { dangerouslySetInnerHTML: { __html: rows.join('') } })
  }
  const within = (part: ReactElement) => createElement(Render, { value: renderSlot }, part)
  expect(renderSlot('rows', '/', createElement(Rows), true, within)).toBe('<ul><li>பசு</li><li>ஆடு</li></ul>')
})
