import { readFileSync } from 'node:fs'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { IconName } from './icon.tsx'
import { IconSheet } from './icon-sheet.tsx'

/** What Lucide writes and nobody reads: its classes, and sizes that the symbol gives. */
const needless = / (?:class="lucide[^"]*"|width="24" height="24")/g
const sheet = renderToStaticMarkup(createElement(IconSheet)).replace(needless, '')

test('the file of icons holds every drawing as it is now', async () => {
  await expect(`${sheet}\n`).toMatchFileSnapshot('icons.svg')
})

/** Signs that each listing of a list has: as masks in the stylesheet they are no elements of any page. */
const signs: IconName[] = ['badge', 'camera', 'compare', 'heart', 'pin', 'stethoscope', 'syringe']

/** A mask lets through what is drawn, whatever its colour. */
function maskOf(name: IconName, fill = 'none'): string {
  const drawing = new RegExp(`<symbol id="${name}"[^>]*><svg[^>]*>(.*?)</svg></symbol>`).exec(sheet)![1]!.replace(/><\/\w+>/g, '/>')
  const strokes = `fill="${fill}" stroke="#000" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"`
  const file = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" ${strokes}>${drawing}</svg>`
  return `url("data:image/svg+xml,${file.replace(/"/g, "'").replace(/[#<>]/g, encodeURIComponent)}")`
}

test('the stylesheet has the signs of a row as the file of icons draws them', async () => {
  const lines = [...signs.map((name) => `  --sign-${name}: ${maskOf(name)};`), `  --sign-heart-full: ${maskOf('heart', '#000')};`]
  const css = `/* Written by icons.test.ts. */\n:root {\n${lines.join('\n')}\n}\n`
  await expect(css).toMatchFileSnapshot('signs.css')
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
