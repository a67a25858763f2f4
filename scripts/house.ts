import { readFileSync, readdirSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { parseSync, Visitor } from 'vite'

const root = join(import.meta.dirname, '..')
/** All code without tests; the product is `src`. */
const folders = ['src', 'tools', 'scripts']

interface Source {
  path: string
  text: string
}

/** The limits that `src/checks/architecture.test.ts` holds: today's figures, rounded up. Lower one when its figure falls. */
export const houseLimits = {
  'lines of product': 102_990,
  'lines of all code': 112_295,
  'lines of the longest file': 500,
  'functions over 60 lines': 0,
  'functions over 50 lines': 40,
  'casts through unknown, in all folders': 19,
  'casts to never': 19,
  'non-null assertions': 804,
  'lines over 120 characters': 4580,
  'circles of imports, types included': 0,
  'files in the largest room, sub-folders included': 154,
}
type HouseFigures = typeof houseLimits

export function measureHouse(): HouseFigures {
  const sources = [...folders.flatMap(sourcesIn), sourceOf('server.ts')]
  const product = sources.filter(({ path }) => path.startsWith('src/'))
  const counts = sources.map(countsOf)
  const sum = (count: (each: Counts) => number) => counts.reduce((total, each) => total + count(each), 0)
  const longer = (limit: number) => sum(({ functions }) => functions.filter((lines) => lines > limit).length)
  return {
    'lines of product': linesIn(product),
    'lines of all code': linesIn(sources),
    'lines of the longest file': Math.max(...sources.map(({ text }) => lineCount(text))),
    'functions over 60 lines': longer(60),
    'functions over 50 lines': longer(50),
    'casts through unknown, in all folders': sum(({ unknowns }) => unknowns),
    'casts to never': sum(({ nevers }) => nevers),
    'non-null assertions': sum(({ nonNulls }) => nonNulls),
    'lines over 120 characters': sources.flatMap(({ text }) => text.split('\n')).filter((line) => line.length > 120).length,
    'circles of imports, types included': circlesOf(sources).length,
    'files in the largest room, sub-folders included': Math.max(...roomsOf(product).values()),
  }
}

function sourcesIn(folder: string): Source[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !/\.test\.tsx?$|\.d\.ts$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((path) => !/^src\/paraglide\/|\/source-data\//.test(path))
    .map(sourceOf)
}

const sourceOf = (path: string): Source => ({ path, text: readFileSync(join(root, path), 'utf8') })
const lineCount = (text: string) => text.trimEnd().split('\n').length
const linesIn = (sources: Source[]) => sources.reduce((total, { text }) => total + lineCount(text), 0)

interface Counts {
  /** Lines of each function. */
  functions: number[]
  unknowns: number
  nevers: number
  nonNulls: number
}

function countsOf({ path, text }: Source): Counts {
  const counts: Counts = { functions: [], unknowns: 0, nevers: 0, nonNulls: 0 }
  const { program, errors } = parseSync(path, text)
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]!.message}`)
  const addFunction = ({ start, end }: { start: number; end: number }) =>
    void counts.functions.push(text.slice(start, end).split('\n').length)
  new Visitor({
    FunctionDeclaration: addFunction,
    FunctionExpression: addFunction,
    ArrowFunctionExpression: addFunction,
    TSNonNullExpression: () => void (counts.nonNulls += 1),
    TSAsExpression: ({ typeAnnotation: { type } }) => {
      if (type === 'TSUnknownKeyword') counts.unknowns += 1
      if (type === 'TSNeverKeyword') counts.nevers += 1
    },
  }).visit(program)
  return counts
}

/** Groups of files that import each other, directly or through others. */
function circlesOf(sources: Source[]): string[][] {
  const imports = new Map(sources.map((source) => [source.path, importsOf(source)]))
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const open: string[] = []
  const circles: string[][] = []
  const visit = (path: string): void => {
    order.set(path, order.size)
    lowest.set(path, order.get(path)!)
    open.push(path)
    for (const imported of imports.get(path)!) {
      if (!imports.has(imported)) continue
      if (!order.has(imported)) visit(imported)
      if (open.includes(imported)) lowest.set(path, Math.min(lowest.get(path)!, lowest.get(imported)!))
    }
    if (lowest.get(path) !== order.get(path)) return
    const circle = open.splice(open.indexOf(path))
    if (circle.length > 1) circles.push(circle)
  }
  for (const path of imports.keys()) if (!order.has(path)) visit(path)
  return circles
}

function importsOf({ path, text }: Source): string[] {
  return [...text.matchAll(/(?:^|\s)(?:from|import)\s*\(?\s*'([#.][^']+)'/gm)].map(([, name = '']) =>
    name.startsWith('#') ? name.slice(1) : relative(root, join(root, dirname(path), name)),
  )
}

function roomsOf(product: Source[]): Map<string, number> {
  const rooms = new Map<string, number>()
  for (const { path } of product) {
    const [, room = '', ...file] = path.split('/')
    if (file.length > 0) rooms.set(room, (rooms.get(room) ?? 0) + 1)
  }
  return rooms
}

if (process.argv[1] === import.meta.filename) {
  const figures = measureHouse()
  console.table(
    Object.fromEntries(Object.entries(figures).map(([name, is]) => [name, { is, limit: houseLimits[name as keyof HouseFigures] }])),
  )
  if (Object.entries(figures).some(([name, is]) => is > houseLimits[name as keyof HouseFigures])) process.exitCode = 1
}
