import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'vite'
import { describe, expect, test } from 'vitest'
import { projectRoot } from '#src/kit/base/project-root.server.ts'
import { skeletons } from '../../scripts/skeletons.ts'

/** `npm run new` writes skeletons of the recipes in CONTRIBUTING.md into a copy of these files. */
const read = (path: string) => (existsSync(join(projectRoot, path)) ? readFileSync(join(projectRoot, path), 'utf8') : null)
const { page, form, call, fact } = skeletons

describe.each([
  ['a page', page(read, 'content', 'fodder-help'), ['messages/en.json', 'src/page-table.ts', 'src/content/fodder-help-page.tsx']],
  [
    'a form',
    form(read, 'content', 'fodder-offer'),
    ['src/policy.ts', 'src/checks/actions.expected.csv', 'src/content/fodder-offer-page.tsx'],
  ],
  ['a call', call(read, 'content', 'fodder'), ['src/policy.ts', 'src/checks/policy.expected.csv', 'src/content/fodder-api.server.ts']],
  ['a number', fact(read, 'toes'), ['src/listings/fields/field-table.ts', 'src/listings/write/listing-input.test.ts']],
  ['a choice', fact(read, 'coat', 'curly,straight'), ['src/listings/fields/field-table.ts', 'messages/ta.json']],
])('the skeleton of %s', (_, edits, paths) => {
  test('changes the files of its recipe, and adds lines only', () => {
    expect([...edits.keys()]).toEqual(expect.arrayContaining(paths))
    for (const [path, text] of edits) {
      const lines = new Set(text.split('\n'))
      expect((read(path) ?? '').split('\n').filter((line) => !lines.has(line))).toEqual([])
    }
  })

  test('is code without faults, and its imports exist', () => {
    for (const [path, text] of edits) {
      if (path.endsWith('.json')) expect(() => JSON.parse(text) as unknown).not.toThrow()
      if (!/\.tsx?$/.test(path)) continue
      expect(parseSync(path, text).errors, path).toEqual([])
      for (const [, names = '', file = ''] of text.matchAll(/^import \{([^}]*)\} from '#(src\/[^']*)'/gm))
        for (const name of names.split(',').map((each) => each.replace(/^\s*type /, '').trim()))
          if (!file.includes('paraglide'))
            expect(edits.get(file) ?? read(file), `${name} of ${file}`).toMatch(new RegExp(`export [^=]*\\b${name}\\b`))
    }
  })
})

test('a skeleton never replaces a file', () => {
  expect(() => page(read, 'content/support', 'support')).toThrow('src/content/support/support-page.tsx exists.')
})
