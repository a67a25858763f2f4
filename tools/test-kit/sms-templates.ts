import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '#src/kit/base/project-root.server.ts'

/** A provider's account with a template for each of our texts in both languages, as a live market needs to start. */
export function allSmsTemplates(): { variable: string; templates: Record<string, string[]>; idOf(name: string): string } {
  const contract = readFileSync(join(projectRoot, 'src/kit/messages/msg91.contract.md'), 'utf8')
  const rows = [...contract.matchAll(/^\| `([a-z-]+)` \| (.+) \|$/gm)]
  const names = rows.flatMap(([, name, places]) =>
    ['ta', 'en'].map((locale) => ({ name: `${name}.${locale}`, places: places === '–' ? [] : places!.split(', ') })),
  )
  const idOf = (name: string) => `template_${name.replace(/\W/g, '_')}`
  return {
    variable: names.map(({ name }) => `${name}=${idOf(name)}`).join(),
    templates: Object.fromEntries(names.map(({ name, places }) => [idOf(name), places])),
    idOf,
  }
}
