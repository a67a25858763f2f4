import { globSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import { houseLimits, measureHouse } from '../../scripts/house.ts'
import { projectRoot } from '#src/kit/base/project-root.server.ts'

/** A domain may use those before it, never those after it (CONTRIBUTING.md). */
const line = [
  'accounts',
  'addresses',
  'listings',
  'reviews',
  'verification',
  'ready-answers',
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
/**
 * The parts of the large rooms. Each is a folder, which may use those before it; `.` has the room's own files, which may use the parts before it. The
 * room's `tables.ts` is below all of them.
 */
const parts: Record<string, string[]> = Object.fromEntries(
  Object.entries({
    storefront: 'showcase < breeds < recent < compare < sharing < animal < list < home',
    content: 'site-frame < support < prose < newsletter < offline < privacy < .',
    admin: 'bulk < . < money < places < answers < showcase',
    orders: '. < bearers < papers < checkout < steps < card < handover < run-sheet < list < first-days < privacy',
    listings: 'fields < reference < life < prints < traits < proofs < paste < browse < write < . < clips < contacts < calls',
    accounts: '. < notifications < identity < people < sign-in < profile < privacy',
    selling: '. < owners < unsent < photos < clips < listing < own < paste < later < form < import < proofs < earnings < privacy',
    kit: 'text < time-money < base < db < media < . < records < uploads < messages < paper < http < device',
  }).map(([room, names]) => [room, names.split(' < ')]),
)
/** Maximum of code files in a room, with its folders, or in a part of a divided room. */
const WHOLE_ROOM = 60
/** Maximum of code files in a folder, not counting tests; beyond it the folder needs a subfolder. */
const ROOM = 45
const fileLimit = 500

interface Source {
  path: string
  text: string
  domain: string
  imports: string[]
}

const src = join(projectRoot, 'src')
const sourcesIn = (folder: string): Source[] =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.parentPath.includes('paraglide'))
    .map((entry) => {
      const file = join(entry.parentPath, entry.name)
      const path = relative(src, file)
      const text = readFileSync(file, 'utf8')
      return { path, text, domain: path.includes('/') ? path.split('/')[0]! : '', imports: importsOf(file, text) }
    })
const sources = sourcesIn(src)
/** Tests and what they stand on. */
const withTestKit = [...sources, ...sourcesIn(join(projectRoot, 'tools/test-kit'))]
const code = sources.filter(({ path }) => !/\.test\.tsx?$/.test(path))

/** The imports of a file, types included: `listings/life/rules.ts` is below src/, `../tools/…` in tools/, and `npm:name` a package. */
function importsOf(file: string, text: string): string[] {
  return [...text.matchAll(/^(?:import|export)\s[^'"]*?from\s+['"]([^'"]+)['"]|^import\s+['"]([^'"]+)['"]/gms)].map((match) => {
    const name = match[1] ?? match[2]!
    if (name.startsWith('#src/')) return name.slice(5)
    if (name.startsWith('#tools/')) return `../${name.slice(1)}`
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
  test('a domain imports only domains before it in the line', () => {
    expect(
      offences(({ domain }, imported) => {
        const from = line.indexOf(domain)
        const to = line.indexOf(imported.split('/')[0]!)
        return from >= 0 && to > from
      }),
    ).toEqual([])
  })

  test('the product imports nothing of tools/, which a release does not have', () => {
    expect(offences((_, imported) => imported.startsWith('../tools/'))).toEqual([])
  })

  test('CONTRIBUTING has the same line, and the same parts of large rooms', () => {
    const text = readFileSync(join(projectRoot, 'CONTRIBUTING.md'), 'utf8').replaceAll(/\s+/g, ' ')
    expect(text).toContain(`\`${line.join(' < ')}\``)
    for (const [room, names] of Object.entries(parts)) expect(text).toContain(`\`${room}/\`: \`${names.join(' < ')}\``)
  })

  test('domains import no file of the root, of server/, market/ or checks/, because only those know all domains', () => {
    const isRoot = (imported: string) => !imported.startsWith('npm:') && /^(server|market|checks)\/|^[^/]+$/.test(imported)
    expect(offences(({ domain }, imported) => line.includes(domain) && isRoot(imported))).toEqual([])
  })

  test('kit imports packages and messages only, and knows no animal', () => {
    expect(
      offences(
        ({ domain }, imported) => domain === 'kit' && !imported.startsWith('npm:') && !/^(kit|router-seams|paraglide)\//.test(imported),
      ),
    ).toEqual([])
  })

  test('router-seams imports packages only, so that kit may import it', () => {
    expect(offences(({ domain }, imported) => domain === 'router-seams' && !/^(npm:|router-seams\/)/.test(imported))).toEqual([])
  })

  test('ui knows no domain and fetches nothing', () => {
    expect(
      offences(
        ({ domain }, imported) => domain === 'ui' && !imported.startsWith('npm:') && !/^(ui|kit|router-seams|paraglide)\//.test(imported),
      ),
    ).toEqual([])
    expect(offences(({ domain }, imported) => domain === 'ui' && imported.includes('.server'))).toEqual([])
  })

  test('document knows no domain: it has what the pages of all domains become documents with', () => {
    const mayImport = (imported: string) => /^(npm:|document\/|ui\/|kit\/|router-seams\/|paraglide\/)/.test(imported)
    expect(offences(({ domain }, imported) => domain === 'document' && !mayImport(imported))).toEqual([])
  })

  test('only policies read a viewer’s type; other code calls `can`', () => {
    const asks = code.filter(
      ({ path, text }) => /viewer[?!]*\.typeId\s*[!=]==/.test(text) && !/(^|\/)policy\.ts$/.test(path) && !path.startsWith('accounts/'),
    )
    expect(asks.map(({ path }) => path)).toEqual([])
  })

  test('tables import only Drizzle, earlier tables and the field table, which names the columns of the facts', () => {
    const mayImport = (imported: string) =>
      imported.startsWith('npm:drizzle-orm') || imported.endsWith('/tables.ts') || imported.startsWith('listings/fields/')
    expect(offences(({ path }, imported) => path.endsWith('/tables.ts') && !mayImport(imported))).toEqual([])
  })

  test('rules and schemas do no I/O: no database, no server files', () => {
    expect(
      offences(
        ({ path, text }, imported) =>
          ['rules', 'schemas'].includes(roleOf(path)) && imported.includes('.server') && !isTypeOnly(text, imported),
      ),
    ).toEqual([])
  })

  test('pages and API calls use queries and commands, never Drizzle', () => {
    expect(
      offences(
        ({ path }, imported) => (path.endsWith('-page.tsx') || /(^|-)api$/.test(roleOf(path))) && imported.startsWith('npm:drizzle-orm'),
      ),
    ).toEqual([])
  })

  test('pages do not call the API', () => {
    expect(offences(({ path }, imported) => path.endsWith('-page.tsx') && /(^|-)api$/.test(roleOf(imported)))).toEqual([])
  })

  test('only one module exports the picture library, with its decoders restricted', () => {
    const takesIt = /^import (?!type)[^;\n]*from 'sharp'|import\('sharp'\)/m
    const takers = code.filter(({ text }) => takesIt.test(text)).map(({ path }) => path)
    expect(takers).toEqual(['kit/media/sharp.server.ts'])
  })

  test('only the database module opens a database', () => {
    expect(
      offences(
        ({ path }, imported) =>
          /^npm:(pg|@electric-sql\/pglite|drizzle-orm\/(pglite|node-postgres))/.test(imported) &&
          !/^kit\/db\/database(-client)?\.server\.ts$/.test(path),
      ),
    ).toEqual([])
  })
})

const isTypeOnly = (text: string, imported: string) => new RegExp(`import type [^;]*?${roleOf(imported)}`, 's').test(text)

describe('rights', () => {
  test('are functions of policy.ts: other files export none', () => {
    const question = /^export (?:async )?(?:const|function) (?:can|may)[A-Z]\w* ?[=(].*\bviewer\b/m
    expect(code.filter(({ path, text }) => question.test(text) && !path.endsWith('/policy.ts')).map(({ path }) => path)).toEqual([])
  })

  test('for a page’s form come from its line in policy.ts: actions check neither login nor role nor the limits of calls', () => {
    const byHand = /Problem\('ROLE_FORBIDDEN'|throw mayNot\(ctx|'(write|upload|order|list|report|review)(Minute|Day)'/
    const acting = code.filter(({ path, text }) => text.includes('pageAction(') && !path.startsWith('kit/'))
    const actions = acting.map(({ path, text }) => ({ path, action: text.slice(text.indexOf('pageAction(')) }))
    expect(actions.length).toBeGreaterThan(30)
    expect(actions.filter(({ action }) => byHand.test(action)).map(({ path }) => path)).toEqual([])
  })
})

describe('the router', () => {
  test('has its internals behind router-seams/: no other file names them', () => {
    const parts =
      /streamCache|serverHandoffStream|staticHandlerContext|renderMeta|modulepreload|history\.state|usr:|X-Remix|['"`/]_routes|['"]\.data|\\\.data|_root\b|\$!-->|react-router\/dist/
    const others = [...code, ...configs].filter(({ path }) => !path.startsWith('router-seams/'))
    expect(others.filter(({ text }) => parts.test(text)).map(({ path }) => path)).toEqual([])
  })

  test('has a contract test and an alternative for each seam', () => {
    const seams = code.filter(({ path }) => path.startsWith('router-seams/') && path !== 'router-seams/held-submit.ts')
    const tests = new Set(sources.map(({ path }) => path).filter((path) => path.endsWith('.test.ts')))
    const lacking = seams.filter(
      ({ path, text }) => !text.includes('To remove:') || !tests.has(path.replace(/(\.server)?\.tsx?$/, '.test.ts')),
    )
    expect(lacking.map(({ path }) => path)).toEqual([])
  })
})

describe('rooms', () => {
  test('the root has nothing but the tables that one reads first, and what React Router wants there', () => {
    const root = sources.filter(({ domain }) => domain === '').map(({ path }) => path)
    expect(root.toSorted()).toEqual([
      'entry.client.tsx',
      'entry.server.tsx',
      'mdx.d.ts',
      'page-table.ts',
      'policy.ts',
      'root.tsx',
      'routes.ts',
    ])
  })

  test(`no folder has more than ${ROOM} files of code`, () => {
    const folders = Map.groupBy(
      code.filter(({ path }) => path.includes('/')),
      ({ path }) => dirname(path),
    )
    expect([...folders].filter(([, files]) => files.length > ROOM).map(([folder, files]) => `${folder}: ${files.length}`)).toEqual([])
  })

  const partOf = (path: string) => {
    const [room = '', folder = ''] = path.split('/')
    return path.split('/').length > 2 ? `${room}/${folder}` : `${room}/.`
  }
  const placeOf = (path: string) => (parts[path.split('/')[0]!] ?? []).indexOf(partOf(path).split('/')[1]!)

  test(`no room has more than ${WHOLE_ROOM} files of code with its folders, and no part of a divided room`, () => {
    const sizes = Map.groupBy(
      code.filter(({ domain }) => domain !== ''),
      ({ path, domain }) => (domain in parts ? partOf(path) : domain),
    )
    const large = [...sizes].filter(([, files]) => files.length > WHOLE_ROOM)
    expect(large.map(([room, files]) => `${room}: ${files.length}`)).toEqual([])
  })

  test('a divided room has exactly its parts, and each uses only those before it', () => {
    const divided = code.filter(({ path, domain }) => domain in parts && path !== `${domain}/tables.ts`)
    const folders = new Set(divided.map(({ path }) => partOf(path)))
    expect([...folders].toSorted()).toEqual(
      Object.entries(parts)
        .flatMap(([room, names]) => names.map((name) => `${room}/${name}`))
        .toSorted(),
    )
    expect(
      offences(
        ({ path, domain }, imported) =>
          domain in parts &&
          imported.startsWith(`${domain}/`) &&
          imported !== `${domain}/tables.ts` &&
          !imported.includes('+types') &&
          placeOf(imported) > placeOf(path),
      ),
    ).toEqual([])
  })

  test('every folder is a room of the line, or one of those below and above all', () => {
    const others = ['kit', 'ui', 'document', 'router-seams', 'server', 'market', 'checks', 'demo', 'operation']
    expect(
      [...new Set(sources.map(({ domain }) => domain))].filter((room) => room && !line.includes(room) && !others.includes(room)),
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

  test('each of them has its reason in a comment', () => {
    expect(casts.filter(({ before }) => !before.trim().startsWith('//')).map(({ at }) => at)).toEqual([])
  })

  test('rows of a hand-written statement are parsed by a schema, not cast', () => {
    const cast = /as \{ rows: /
    expect(lines.filter(({ at, line }) => cast.test(line) && !at.startsWith('kit/db/rows.server.ts:')).map(({ at }) => at)).toEqual([])
  })
})

describe('the figures of the code', () => {
  const figures = Object.entries(measureHouse())

  test.each(Object.entries(houseLimits))('%s: at most %i', (name, limit) => {
    const [, figure = NaN] = figures.find(([each]) => each === name) ?? []
    expect(figure).toBeLessThanOrEqual(limit)
  })
})

describe('nothing is left over', () => {
  const folders = ['src', 'tools', 'e2e', 'scripts']
  const patterns = [...folders.map((folder) => `${folder}/**/*.{ts,tsx}`), '*.ts']
  const exclude = ['src/paraglide/**', 'scripts/source-data/**']
  const paths = globSync(patterns, { cwd: projectRoot, exclude })
  const files = paths.map((path) => ({ path, text: readFileSync(join(projectRoot, path), 'utf8') }))
  const filesWith = new Map<string, number>()
  for (const { text } of files)
    for (const word of new Set(text.match(/[A-Za-z_$][\w$]*/g))) filesWith.set(word, (filesWith.get(word) ?? 0) + 1)

  test('every exported name is used in another file', () => {
    // React Router reads the exports of routes, and Paraglide those of its replaced runtime.
    const isReadByOthers = (path: string) => /-page\.tsx$|^src\/(root|entry\.\w+)\.tsx$|^src\/kit\/text\/message-locale\.ts$/.test(path)
    const exported = files.flatMap(({ path, text }) =>
      [...text.matchAll(/^export (?:async )?(?:const|let|function|class|interface|type) (\w+)/gm)].map(([, name]) => ({
        path,
        name: name!,
      })),
    )
    expect(exported.length).toBeGreaterThan(2000)
    const unused = exported.filter(({ path, name }) => filesWith.get(name) === 1 && !isReadByOthers(path))
    expect(unused.map(({ path, name }) => `${path}: ${name}`)).toEqual([])
  })

  test('every class of a style sheet is used by some markup', () => {
    const sheets = globSync('src/**/*.css', { cwd: projectRoot })
    const classes = sheets.flatMap((path) => {
      const css = readFileSync(join(projectRoot, path), 'utf8').replace(/\/\*[\s\S]*?\*\//g, '')
      return [...css.matchAll(/\.([a-z][\w-]*)(?=[^{};]*\{)|@utility ([\w-]+)/g)].map(([, plain, utility]) => ({
        path,
        name: plain ?? utility!,
      }))
    })
    const markup = new Set(code.flatMap(({ text }) => text.match(/[\w-]+/g) ?? []))
    expect(classes.length).toBeGreaterThan(100)
    expect(classes.filter(({ name }) => !markup.has(name)).map(({ path, name }) => `${path}: ${name}`)).toEqual([])
  })
})

/** Functions at the top of a file, by their text without name and spaces. */
function copiesOf(files: Source[], fromLength: number): string[] {
  const owners = new Map<string, string[]>()
  const ofModule =
    /^(?:export )?(?:async )?(?:function (\w+)[\s\S]*?^\}|const (\w+)(?::[^=\n]*)? = (?:async )?(?:<[^>]*>)?\([\s\S]*?(?=\n\S|\n\n|\n?$(?![\s\S])))/gm
  for (const { path, text } of files)
    for (const [whole, declared, assigned] of text.matchAll(ofModule)) {
      const name = declared ?? assigned!
      const body = whole
        .replace(/^export /, '')
        .replace(name, '')
        .replace(/\s+/g, ' ')
      if (body.length >= fromLength && !exportsOfPages.has(name)) owners.set(body, [...(owners.get(body) ?? []), `${path}: ${name}`])
    }
  return [...owners.values()].filter((places) => places.length > 1).map((places) => places.join(', '))
}
/** React Router finds these by their name in each page. */
const exportsOfPages = new Set(['clientAction', 'headers', 'meta', 'shouldRevalidate'])

describe('a function', () => {
  test('has one place: no two files have the same one', () => {
    // The viewer of the API document is one page without a build, and it has its own script.
    expect(
      copiesOf(
        code.filter(({ path }) => path !== 'server/api-docs.server.ts'),
        55,
      ),
    ).toEqual([])
  })

  test('of more than a line of the tests has one place, too', () => {
    expect(copiesOf(withTestKit, 200)).toEqual([])
  })
})

describe('forms', () => {
  const outside = code.filter(({ path }) => path.endsWith('.tsx') && !path.startsWith('ui/'))

  test('every form control comes from ui/, which handles its look, its errors and its accessible name', () => {
    const raw = outside.flatMap(({ path, text }) =>
      [...text.matchAll(/<(?:input|select|textarea)\b[^>]*/g)]
        .filter(([tag]) => !tag.includes('type="hidden"'))
        .map(([tag]) => `${path}: ${tag}`),
    )
    expect(raw).toEqual([])
  })

  test('no list of four or more classes is in more than two files, none of six in two: it becomes a utility of app.css or a component', () => {
    const users = new Map<string, Set<string>>()
    const all = code.filter(({ path }) => path.endsWith('.tsx'))
    for (const { path, text } of all) for (const list of classLists(text)) users.set(list, (users.get(list) ?? new Set()).add(path))
    const mayStandIn = (list: string) => (list.split(' ').length < 6 ? 2 : 1)
    const copied = [...users].filter(([list, files]) => files.size > mayStandIn(list))
    expect(copied.map(([list, files]) => `${list}: ${[...files].join(', ')}`)).toEqual([])
  })

  /** Each list of classes of a file, sorted, so that a copy in another order is found, too. */
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
  test('a file’s suffix tells its role, and there are no other suffixes', () => {
    const known = /^[\w-]+(\.(db|race|postgres))?\.test\.tsx?$|^[\w-]+(\.server|\.client)?\.tsx?$|^mdx\.d\.ts$/
    expect(sources.map(({ path }) => path.split('/').at(-1)!).filter((name) => !known.test(name))).toEqual([])
  })

  test(`no file is longer than ${fileLimit} lines`, () => {
    const long = withTestKit.filter(({ text }) => text.split('\n').length > fileLimit)
    expect(long.map(({ path }) => path)).toEqual([])
  })

  test('no default exports except where React Router demands them', () => {
    const demanded = /(-page\.tsx|^root\.tsx|^entry\.\w+\.tsx|^routes\.ts)$/
    expect(code.filter(({ path, text }) => /^export default /m.test(text) && !demanded.test(path)).map(({ path }) => path)).toEqual([])
  })

  test('no style attributes: the content security policy would refuse them', () => {
    expect(code.filter(({ text }) => /\sstyle=\{/.test(text)).map(({ path }) => path)).toEqual([])
  })

  test('links use ui/link.tsx: the router’s own link costs the server too much', () => {
    const takesLink = /import \{[^}]*\b(Link|NavLink)\b[^}]*\} from 'react-router'/
    expect(code.filter(({ path, text }) => takesLink.test(text) && path !== 'ui/link.tsx').map(({ path }) => path)).toEqual([])
  })

  test('a page whose form the router sends with the state that was seen loads again after a refusal', () => {
    const sendsSeen = ({ text }: Source) =>
      /import \{[^}]*\bForm\b[^}]*\} from 'react-router'|<PostForm\b(?!(?:=>|[^>])*\breloadDocument)/.test(text) &&
      /name="(seen|version)"|<HiddenFields\b(?:=>|[^>])*\b(seen|version)=/.test(text)
    const reached = (path: string, found = new Set<string>()): Set<string> => {
      if (!found.has(path)) code.find((each) => each.path === path)?.imports.forEach((each) => reached(each, found.add(path)))
      return found
    }
    const pages = code.filter(({ path, text }) => path.endsWith('-page.tsx') && text.includes('pageAction('))
    const late = pages.filter(({ path }) => code.some((each) => sendsSeen(each) && reached(path).has(each.path)))
    expect(late.length).toBeGreaterThan(5)
    expect(late.filter(({ text }) => !text.includes('afterRefusalToo')).map(({ path }) => path)).toEqual([])
  })

  test('no file is called utils, helpers, common, service or manager', () => {
    expect(
      sources.filter(({ path }) => /(utils?|helpers?|common|services?|manager)\.(server\.)?tsx?$/.test(path)).map(({ path }) => path),
    ).toEqual([])
  })

  test('no test sets its own time-out: the global one fits slow machines and only hanging tests meet it (vitest.config.ts)', () => {
    const own = /\b(?:test|it|describe)\b[^\n]*\{ timeout:|^ +(?:\{ timeout: .*\}|[\d_]+_000),?\n(?:  )?(?:async )?\)|^ *\}, [\d_]+_000\)/m
    const tests = withTestKit.filter(({ path }) => path.endsWith('.test.ts') && path !== 'checks/architecture.test.ts')
    expect(tests.filter(({ text }) => own.test(text)).map(({ path }) => path)).toEqual([])
  })

  test('no unfinished work: no markers of open points, no skipped tests', () => {
    const marks = new RegExp(['TO' + 'DO', 'FIX' + 'ME', '\\b(test|describe|it)\\.(only|skip|todo)\\('].join('|'))
    expect(withTestKit.filter(({ text }) => marks.test(text)).map(({ path }) => path)).toEqual([])
  })
})
