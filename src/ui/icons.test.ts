import { readFileSync } from 'node:fs'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { IconSheet } from './icon-sheet.tsx'

/** What Lucide writes and nobody reads: its classes, and sizes that the symbol gives. */
const needless = / (?:class="lucide[^"]*"|width="24" height="24")/g
const sheet = renderToStaticMarkup(createElement(IconSheet)).replace(needless, '')

test('the file of icons holds every drawing as it is now', async () => {
  await expect(`${sheet}\n`).toMatchFileSnapshot('icons.svg')
})

test('an icon takes the colour of the words around it and brings no size, script or style of its own', () => {
  const file = readFileSync('src/ui/icons.svg', 'utf8')
  expect(file.match(/<symbol /g)!.length).toBeGreaterThan(30)
  expect(file.match(/<(?!\/|svg|symbol|path|circle|rect|line|polyline|ellipse)/g)).toBeNull()
  expect([...new Set(file.match(/(?:stroke|fill)="[^"]*"/g))].toSorted()).toEqual([
    'fill="currentColor"',
    'fill="inherit"',
    'fill="none"',
    'stroke="currentColor"',
  ])
})
