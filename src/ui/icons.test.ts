import { readFileSync } from 'node:fs'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { IconName } from './icon.tsx'
import { IconSheet } from './icon-sheet.tsx'

/** Lucide's unused classes, and sizes that the symbol sets already. */
const needless = / (?:class="lucide[^"]*"|width="24" height="24")/g
const sheet = renderToStaticMarkup(createElement(IconSheet)).replace(needless, '')

test('the icon file contains the current drawing of every icon', async () => {
  await expect(`${sheet}\n`).toMatchFileSnapshot('icons.svg')
})

/** Icons that every row of a list has. As masks in the stylesheet, they add no elements to pages. */
const signs: IconName[] = ['badge', 'camera', 'compare', 'heart', 'pin', 'stethoscope', 'syringe']

/** A mask uses the shape only, whatever its colour. */
function maskOf(name: IconName, fill = 'none'): string {
  const drawing = new RegExp(`<symbol id="${name}"[^>]*><svg[^>]*>(.*?)</svg></symbol>`).exec(sheet)![1]!.replace(/><\/\w+>/g, '/>')
  const strokes = `fill="${fill}" stroke="#000" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"`
  const file = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" ${strokes}>${drawing}</svg>`
  return `url("data:image/svg+xml,${file.replace(/"/g, "'").replace(/[#<>]/g, encodeURIComponent)}")`
}

test("the stylesheet's masks match the drawings of the icon file", async () => {
  const lines = [...signs.map((name) => `  --sign-${name}: ${maskOf(name)};`), `  --sign-heart-full: ${maskOf('heart', '#000')};`]
  const css = `/* Written by icons.test.ts. */\n:root {\n${lines.join('\n')}\n}\n`
  await expect(css).toMatchFileSnapshot('signs.css')
})

test('icons take the text colour and bring no size, script or style', () => {
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
