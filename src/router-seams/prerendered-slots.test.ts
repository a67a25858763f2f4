import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { Link, useLocation } from 'react-router'
import { expect, test } from 'vitest'
import { renderSlot } from './prerendered-slots.server.tsx'

const footer = createElement('p', null, 'சந்தை ', createElement(Link, { to: '/aboutus' }, 'About'))

test('a slot is plain markup with working links: React leaves no marks in it', () => {
  expect(renderSlot('footer', 'ta', footer, false)).toBe('<p>சந்தை <a href="/aboutus" data-discover="true">About</a></p>')
})

test('it knows the page’s language by its address', () => {
  const Here = () => useLocation().pathname
  expect(renderSlot('here', 'en', createElement(Here), true)).toBe('/en')
  expect(renderSlot('here', 'ta', createElement(Here), true)).toBe('/')
})

test('React puts it into the page letter for letter', () => {
  const html = renderSlot('footer', 'ta', footer, false)
  const page = createElement('div', { dangerouslySetInnerHTML: { __html: html }, suppressHydrationWarning: true })
  expect(renderToString(page)).toBe(`<div>${html}</div>`)
})
