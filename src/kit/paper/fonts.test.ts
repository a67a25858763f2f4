import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { projectRoot } from '#src/kit/base/project-root.server.ts'
import { fontFiles, hasFont } from './fonts.server.ts'

test('has the signs of twelve scripts, of English, and those beside their words, and no others', () => {
  for (const sign of ['A', 'é', '7', '₹', '…', '–', 'அ', 'क', 'ক', 'ક', 'ਕ', 'ಕ', 'ക', 'କ', 'క', '्', '।', '½', 'ṭ', 'Ж', '→', '✓', '≤'])
    expect([sign, hasFont(sign)]).toEqual([sign, true])
  for (const sign of ['牛', '🐄', '☎', '\uffff']) expect([sign, hasFont(sign)]).toEqual([sign, false])
})

test('pictures find the boldest font of each package that papers have, each folder exactly once', () => {
  const config = process.env.FONTCONFIG_FILE!
  const folders = [...readFileSync(config, 'utf8').matchAll(/<dir prefix="relative">(.+)<\/dir>/g)].map(([, folder]) =>
    join(dirname(config), folder!),
  )
  const boldOf = (file: string) => file.replaceAll('400Regular', '700Bold')
  const boldest = fontFiles.filter((file) => file === boldOf(file) || !fontFiles.includes(boldOf(file)))
  expect(folders.toSorted()).toEqual(boldest.map((file) => dirname(file)).toSorted())
})

test('only this module changes the environment, as it is loaded, before there are threads', () => {
  const changes = /^( *)(?:delete )?process\.env(?:\.\w+|\[[^\]]+\])(?: *=(?!=)|$)|Object\.assign\(process\.env/gm
  const found = readdirSync(join(projectRoot, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?<!\.test)\.tsx?$/.test(file))
    .flatMap((file) =>
      [...readFileSync(join(projectRoot, 'src', file), 'utf8').matchAll(changes)].map(([, indent]) => [
        file,
        indent === '' ? 'loaded' : 'later',
      ]),
    )
  expect(found).toEqual([['kit/paper/fonts.server.ts', 'loaded']])
})

test('whoever writes into a picture loads the fonts before: the first text decides for the whole process', () => {
  const files = ['src', 'tools'].flatMap((root) =>
    readdirSync(join(projectRoot, root), { recursive: true, encoding: 'utf8' }).map((file) => join(projectRoot, root, file)),
  )
  const texts = files.filter((file) => /\.tsx?$/.test(file)).map((file) => ({ file, text: readFileSync(file, 'utf8') }))
  const writers = texts.filter(({ text }) => /\bsharp\(\{\s*text:/.test(text))
  expect(writers.length).toBeGreaterThan(1)
  expect(writers.filter(({ text }) => !text.includes('paper/fonts.server.ts')).map(({ file }) => file)).toEqual([])
})
