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
