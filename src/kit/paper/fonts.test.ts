import { readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { FONT_CONFIG, fontFiles, hasFont } from './fonts.server.ts'

test('has the signs of twelve scripts and of English, and no others', () => {
  for (const sign of ['A', 'é', '7', '₹', '…', '–', 'அ', 'क', 'ক', 'ક', 'ਕ', 'ಕ', 'ക', 'କ', 'క', '्', '।'])
    expect([sign, hasFont(sign)]).toEqual([sign, true])
  for (const sign of ['Ж', '牛', 'ѣ', '🐄', '→', '\uffff']) expect([sign, hasFont(sign)]).toEqual([sign, false])
})

test('pictures find the bold fonts of the same packages as papers, each folder exactly once', () => {
  const folders = [...readFileSync(FONT_CONFIG, 'utf8').matchAll(/<dir prefix="relative">(.+)<\/dir>/g)].map(([, folder]) =>
    join(dirname(FONT_CONFIG), folder!),
  )
  expect(folders).toEqual(fontFiles.map((file) => dirname(file)).filter((folder) => basename(folder) === '700Bold'))
})
