import { readFileSync, readdirSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import { projectRoot } from './kit/project-root.server.ts'

/** A domain may use those before it, never those after it (CONTRIBUTING.md). */
const line = [
  'accounts',
  'addresses',
  'listings',
  'reviews',
  'verification',
  'reports',
  'cart',
  'invoices',
  'orders',
  'selling',
  'health',
  'alerts',
  'storefront',
  'enquiries',
  'forum',
  'content',
  'admin',
]
/** Code files of a folder, tests not counted: with more, a room wants a second one. */
const ROOM = 45
const fileLimit = 500
/** Longer files, each with its reason. */
const mayBeLong = new Set<string>([])

interface Source {
  path: string
  text: string
  domain: string
  imports: string[]
}

const src = join(projectRoot, 'src')
const sources: Source[] = readdirSync(src, { withFileTypes: true, recursive: true })
  .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.parentPath.includes('paraglide'))
  .map((entry) => {
    const file = join(entry.parentPath, entry.name)
    const path = relative(src, file)
    const text = readFileSync(file, 'utf8')
    return { path, text, domain: path.includes('/') ? path.split('/')[0]! : '', imports: importsOf(file, text) }
  })
const code = sources.filter(({ path }) => !/\.test\.tsx?$/.test(path) && !path.startsWith('testing/'))

/** What a file imports at run time and for types: paths below src/ as `listings/rules.ts`, packages as `npm:name`. */
function importsOf(file: string, text: string): string[] {
  return [...text.matchAll(/^(?:import|export)\s[^'"]*?from\s+['"]([^'"]+)['"]|^import\s+['"]([^'"]+)['"]/gms)].map((match) => {
    const name = match[1] ?? match[2]!
    if (name.startsWith('#src/')) return name.slice(5)
    return name.startsWith('.') ? relative(src, join(dirname(file), name)) : `npm:${name}`
  })
}
const configs = ['vite.config.ts', 'react-router.config.ts'].map((path) => ({ path, text: readFileSync(join(projectRoot, path), 'utf8') }))
const roleOf = (path: string) => /([\w-]+?)(?:\.server)?\.tsx?$/.exec(path)?.[1] ?? ''
const offences = (rule: (source: Source, imported: string) => boolean) =>
  code.flatMap((source) =>
    source.imports.filter((imported) => rule(source, imported)).map((imported) => `${source.path} imports ${imported}`),
  )

describe('who may import whom', () => {
  test('domains stand in a line and use only those before them', () => {
    expect(
      offences(({ domain }, imported) => {
        const from = line.indexOf(domain)
        const to = line.indexOf(imported.split('/')[0]!)
        return from >= 0 && to > from
      }),
    ).toEqual([])
  })

  test('CONTRIBUTING has the same line', () => {
    const text = readFileSync(join(projectRoot, 'CONTRIBUTING.md'), 'utf8').replaceAll(/\s+/g, ' ')
    expect(text).toContain(`\`${line.join(' < ')}\``)
  })

  test('domains import no file of the root: what puts them together is theirs alone', () => {
    const isRoot = (imported: string) => !imported.startsWith('npm:') && !imported.includes('/')
    expect(offences(({ domain }, imported) => line.includes(domain) && isRoot(imported))).toEqual([])
  })

  test('kit knows no animal: it imports packages and messages only', () => {
    expect(
      offences(
        ({ domain }, imported) =>
          ['kit', 'router-seams'].includes(domain) && !imported.startsWith('npm:') && !/^(kit|router-seams|paraglide)\//.test(imported),
      ),
    ).toEqual([])
  })

  test('ui knows no domain and fetches nothing', () => {
    expect(
      offences(
        ({ domain }, imported) => domain === 'ui' && !imported.startsWith('npm:') && !/^(ui|kit|router-seams|paraglide)\//.test(imported),
      ),
    ).toEqual([])
    expect(offences(({ domain }, imported) => domain === 'ui' && imported.includes('.server'))).toEqual([])
  })

  test('tables know only Drizzle, earlier tables and the field table, which says the columns of the facts', () => {
    const mayImport = (imported: string) =>
      imported.startsWith('npm:drizzle-orm') || imported.endsWith('/tables.ts') || imported.startsWith('listings/fields/')
    expect(offences(({ path }, imported) => path.endsWith('/tables.ts') && !mayImport(imported))).toEqual([])
  })

  test('rules and schemas do no work: no database, no server files', () => {
    expect(
      offences(
        ({ path, text }, imported) =>
          ['rules', 'schemas'].includes(roleOf(path)) && imported.includes('.server') && !isTypeOnly(text, imported),
      ),
    ).toEqual([])
  })

  test('pages and API calls go through queries and commands, never to Drizzle', () => {
    expect(
      offences(
        ({ path }, imported) => (path.endsWith('-page.tsx') || /(^|-)api$/.test(roleOf(path))) && imported.startsWith('npm:drizzle-orm'),
      ),
    ).toEqual([])
  })

  test('pages do not call the API', () => {
    expect(offences(({ path }, imported) => path.endsWith('-page.tsx') && /(^|-)api$/.test(roleOf(imported)))).toEqual([])
  })

  test('only the database module opens a database', () => {
    expect(
      offences(
        ({ path }, imported) =>
          /^npm:(pg|@electric-sql\/pglite|drizzle-orm\/(pglite|node-postgres))/.test(imported) &&
          !/^kit\/(db\/database(-client)?\.server|testing\/postgres-server)\.ts$/.test(path),
      ),
    ).toEqual([])
  })
})

const isTypeOnly = (text: string, imported: string) => new RegExp(`import type [^;]*?${roleOf(imported)}`, 's').test(text)

describe('rights', () => {
  test('stand in policy.ts: other files export no question of who may do what', () => {
    const question = /^export (?:async )?(?:const|function) (?:can|may)[A-Z]\w* ?[=(].*\bviewer\b/m
    expect(code.filter(({ path, text }) => question.test(text) && !path.endsWith('/policy.ts')).map(({ path }) => path)).toEqual([])
  })

  test('to send a page’s form are its line in policy.ts: actions check neither login nor role nor the limits of calls by themselves', () => {
    const byHand = /Problem\('ROLE_FORBIDDEN'|throw mayNot\(ctx|'(write|upload|order|list|report|review)(Minute|Day)'/
    const acting = code.filter(({ path, text }) => text.includes('pageAction(') && !path.startsWith('kit/'))
    const actions = acting.map(({ path, text }) => ({ path, action: text.slice(text.indexOf('pageAction(')) }))
    expect(actions.length).toBeGreaterThan(30)
    expect(actions.filter(({ action }) => byHand.test(action)).map(({ path }) => path)).toEqual([])
  })
})

describe('the router', () => {
  test('keeps its inner parts behind router-seams/: nothing else knows their names', () => {
    const parts =
      /streamCache|serverHandoffStream|staticHandlerContext|renderMeta|modulepreload|history\.state|usr:|X-Remix|['"`/]_routes|['"]\.data|\\\.data|_root\b|\$!-->|react-router\/dist/
    const others = [...code, ...configs].filter(({ path }) => !path.startsWith('router-seams/'))
    expect(others.filter(({ text }) => parts.test(text)).map(({ path }) => path)).toEqual([])
  })

  test('has a contract test and a way out for each seam', () => {
    const seams = code.filter(({ path }) => path.startsWith('router-seams/') && path !== 'router-seams/held-submit.ts')
    const tests = new Set(sources.map(({ path }) => path).filter((path) => path.endsWith('.test.ts')))
    const lacking = seams.filter(
      ({ path, text }) => !text.includes('To remove:') || !tests.has(path.replace(/(\.server)?\.tsx?$/, '.test.ts')),
    )
    expect(lacking.map(({ path }) => path)).toEqual([])
  })
})

describe('rooms', () => {
  test(`no folder has more than ${ROOM} files of code`, () => {
    const folders = Map.groupBy(
      code.filter(({ path }) => path.includes('/')),
      ({ path }) => dirname(path),
    )
    expect([...folders].filter(([, files]) => files.length > ROOM).map(([folder, files]) => `${folder}: ${files.length}`)).toEqual([])
  })

  test('every folder of src is a room of the line, or one of those below and above all', () => {
    const others = ['kit', 'ui', 'router-seams', 'demo', 'operation', 'testing']
    expect(
      [...new Set(sources.map(({ domain }) => domain))].filter((room) => room && !line.includes(room) && !others.includes(room)),
    ).toEqual([])
  })
})

describe('long functions', () => {
  const LONG = 10
  const exceptions = code.flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, n) => (/oxlint-disable.*max-lines-per-function/.test(line) ? [{ at: `${path}:${n + 1}`, line }] : [])),
  )

  test(`at most ${LONG} have over 60 lines, which the linter counts`, () => expect(exceptions.length).toBeLessThanOrEqual(LONG))

  test('each of them says why', () => {
    expect(
      exceptions.filter(({ line }) => !/disable-next-line max-lines-per-function -- (\S+ ){5}/.test(line)).map(({ at }) => at),
    ).toEqual([])
  })
})

describe('types', () => {
  const CASTS = 15
  const lines = code.flatMap(({ path, text }) =>
    text.split('\n').map((line, n, all) => ({ at: `${path}:${n + 1}`, line, before: all[n - 1] ?? '' })),
  )
  const casts = lines.filter(({ line }) => line.includes('as unknown as'))

  test(`at most ${CASTS} casts go through unknown`, () => expect(casts.length).toBeLessThanOrEqual(CASTS))

  test('each of them says why', () => {
    expect(casts.filter(({ before }) => !before.trim().startsWith('//')).map(({ at }) => at)).toEqual([])
  })

  test('a hand-written statement is read through a schema: no rows of an execute are cast', () => {
    const cast = /as \{ rows: /
    expect(
      lines.filter(({ at, line }) => cast.test(line) && !/^(kit\/db\/rows\.server|operation\/prepared)\.ts:/.test(at)).map(({ at }) => at),
    ).toEqual([])
  })
})

describe('forms', () => {
  const outside = code.filter(({ path }) => path.endsWith('.tsx') && !path.startsWith('ui/'))

  test('every form control is one of ui/, which knows how it looks, what is wrong with it and who reads it out', () => {
    const raw = outside.flatMap(({ path, text }) =>
      [...text.matchAll(/<(?:input|select|textarea)\b[^>]*/g)]
        .filter(([tag]) => !tag.includes('type="hidden"'))
        .map(([tag]) => `${path}: ${tag}`),
    )
    expect(raw).toEqual([])
  })

  test('no list of four classes or more is copied into more than two files: it is a utility of app.css or a component', () => {
    const users = new Map<string, Set<string>>()
    for (const { path, text } of outside) for (const list of classLists(text)) users.set(list, (users.get(list) ?? new Set()).add(path))
    expect([...users].filter(([, files]) => files.size > 2).map(([list, files]) => `${list}: ${[...files].join(', ')}`)).toEqual([])
  })

  /** Each list of classes of a file, in the order of the alphabet: a copy in another order is one, too. */
  function classLists(text: string): string[] {
    const literals = [...text.matchAll(/className=(?:"([^"]*)"|\{([^}]*)\})|= *\n? *'([^'\n]*)'/g)].flatMap(
      ([, attribute, expression, constant]) =>
        expression === undefined
          ? [attribute ?? constant ?? '']
          : [...expression.matchAll(/'([^']*)'|`([^`$]*)/g)].map(([, quoted, template]) => quoted ?? template ?? ''),
    )
    return literals
      .map((literal) => literal.trim().split(/\s+/))
      .filter(({ length }) => length >= 4)
      .map((classes) => classes.toSorted().join(' '))
  }
})

describe('how files read', () => {
  test('a suffix says what a file is, and there are no others', () => {
    const known = /^[\w-]+(\.(db|race|postgres))?\.test\.tsx?$|^[\w-]+(\.server|\.client)?\.tsx?$|^mdx\.d\.ts$/
    expect(sources.map(({ path }) => path.split('/').at(-1)!).filter((name) => !known.test(name))).toEqual([])
  })

  test(`no file is longer than ${fileLimit} lines`, () => {
    const long = sources.filter(({ path, text }) => text.split('\n').length > fileLimit && !mayBeLong.has(path))
    expect(long.map(({ path }) => path)).toEqual([])
  })

  test('no default exports except where React Router demands them', () => {
    const demanded = /(-page\.tsx|^root\.tsx|^entry\.\w+\.tsx|^routes\.ts|^testing\/\w+-setup\.ts)$/
    expect(code.filter(({ path, text }) => /^export default /m.test(text) && !demanded.test(path)).map(({ path }) => path)).toEqual([])
  })

  test('no style attributes: the content security policy would refuse them', () => {
    expect(code.filter(({ text }) => /\sstyle=\{/.test(text)).map(({ path }) => path)).toEqual([])
  })

  test('links are ours (ui/link.tsx): the router’s own cost the server too much', () => {
    const takesLink = /import \{[^}]*\b(Link|NavLink)\b[^}]*\} from 'react-router'/
    expect(code.filter(({ path, text }) => takesLink.test(text) && path !== 'ui/link.tsx').map(({ path }) => path)).toEqual([])
  })

  test('no file is called utils, helpers, common, service or manager', () => {
    expect(
      sources.filter(({ path }) => /(utils?|helpers?|common|services?|manager)\.(server\.)?tsx?$/.test(path)).map(({ path }) => path),
    ).toEqual([])
  })

  test('nothing is left half done', () => {
    const marks = new RegExp(['TO' + 'DO', 'FIX' + 'ME', '\\b(test|describe|it)\\.(only|skip|todo)\\('].join('|'))
    expect(sources.filter(({ text }) => marks.test(text)).map(({ path }) => path)).toEqual([])
  })
})
