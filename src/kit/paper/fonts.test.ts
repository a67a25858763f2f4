import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { projectRoot } from '#src/kit/base/project-root.server.ts'
import { fontFiles, hasFont } from './fonts.server.ts'

test('has the signs of twelve scripts and of English, and no others', () => {
  for (const sign of ['A', 'é', '7', '₹', '…', '–', 'அ', 'क', 'ক', 'ક', 'ਕ', 'ಕ', 'ക', 'କ', 'క', '्', '।'])
    expect([sign, hasFont(sign)]).toEqual([sign, true])
  for (const sign of ['Ж', '牛', 'ѣ', '🐄', '→', '\uffff']) expect([sign, hasFont(sign)]).toEqual([sign, false])
})

test('pictures find the bold fonts of the same packages as papers, each folder exactly once', () => {
  const config = process.env.FONTCONFIG_FILE!
  const folders = [...readFileSync(config, 'utf8').matchAll(/<dir prefix="relative">(.+)<\/dir>/g)].map(([, folder]) =>
    join(dirname(config), folder!),
  )
  expect(folders).toEqual(fontFiles.map((file) => dirname(file)).filter((folder) => basename(folder) === '700Bold'))
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
