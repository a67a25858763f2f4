import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { skeletons } from './skeletons.ts'

// `npm run new -- page ROOM NAME`, `form ROOM NAME`, `call ROOM NAME` or `fact NAME [CHOICE,CHOICE]`: writes the skeleton of a recipe in CONTRIBUTING.md.
// ROOM is a folder of src/, NAME in kebab case.
const root = join(import.meta.dirname, '..')
const read = (path: string) => (existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : null)
const [kind = '', first = '', second] = process.argv.slice(2)
const write = Object.hasOwn(skeletons, kind) ? skeletons[kind as keyof typeof skeletons] : null
const name = kind === 'fact' ? first : (second ?? '')
const hasPlace = kind === 'fact' || (/^[a-z/-]+$/.test(first) && existsSync(join(root, 'src', first)))
if (!write || !hasPlace || !/^[a-z]+(-[a-z]+)*$/.test(name)) {
  console.error('npm run new -- page|form|call FOLDER-OF-SRC NAME, or fact NAME [CHOICE,CHOICE]; NAME like offer-fodder')
  process.exit(1)
}
try {
  for (const [path, text] of write(read, first, second ?? '')) {
    writeFileSync(join(root, path), text)
    console.log(path)
  }
  console.log('Next: its texts in messages/*.json, then the steps of the recipe that are left (CONTRIBUTING.md).')
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
}
