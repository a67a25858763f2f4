import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Ctx } from '#src/kit/context.ts'
import { Problem } from '#src/kit/problem.ts'
import { projectRoot } from '#src/kit/project-root.server.ts'
import { m } from '#src/paraglide/messages.js'
import type { Paper } from './paper.ts'

const fonts = ['400Regular/NotoSansTamil_400Regular.ttf', '700Bold/NotoSansTamil_700Bold.ttf'].map((file) =>
  join(projectRoot, 'node_modules/@expo-google-fonts/noto-sans-tamil', file),
)
const template = join(projectRoot, 'src/invoices/paper.typ')
/** Documents whose memoized parts are kept: the next one looks much the same. */
const CACHE_AGE = 10

let opened: { compiler: Compiler; source: string } | undefined

/** What we use of the typesetter's native package. */
interface Compiler {
  pdf(document: { mainFileContent: string; inputs: Record<string, string> }): Buffer
  evictCache(maxAge: number): void
}
interface Typst {
  NodeCompiler: { create(options: { fontArgs: { fontBlobs: Buffer[] }[] }): Compiler }
}

/**
 * The package that chooses among the builds cannot be locked: it names builds that are not in every registry. So the builds stand in
 * our own package.json, as optional, and the one that is here is taken.
 */
const builds = ['@myriaddreamin/typst-ts-node-compiler-linux-x64-gnu', '@myriaddreamin/typst-ts-node-compiler-linux-x64-musl']

/** Loaded with the first document: the typesetter takes 50 MB, and most processes never print anything. */
function open() {
  const load = createRequire(import.meta.url)
  const build = builds.find((name) => {
    try {
      return load.resolve(name)
    } catch {
      return false
    }
  })
  if (!build) throw new Error(`No typesetter for ${process.platform} on ${process.arch}.`)
  const { NodeCompiler } = load(build) as Typst
  const compiler = NodeCompiler.create({ fontArgs: [{ fontBlobs: fonts.map((file) => readFileSync(file)) }] })
  return { compiler, source: readFileSync(template, 'utf8') }
}

/**
 * The paper as a PDF whose text can be copied and searched, Tamil too. A few milliseconds, after 0.2 s for the first.
 * `qr` is an SVG (verify.server.ts). UNAVAILABLE where the typesetter has no build for this machine (it has one for Linux on x64).
 */
export function pdfOf(ctx: Ctx, paper: Paper, qr: string | null = null): Buffer {
  const { compiler, source } = typesetter(ctx)
  const say = { locale: ctx.locale }
  const data = {
    ...paper,
    lang: ctx.locale,
    brand: m.site_name({}, say),
    draft: m.invoice_draft({}, say),
    qr,
    scan: m.verify_scan({}, say),
    inWordsLabel: m.invoice_in_words({}, say),
    footer: ctx.publicOrigin.replace(/^https?:\/\//, ''),
  }
  try {
    return compiler.pdf({ mainFileContent: source, inputs: { paper: JSON.stringify(data) } })
  } finally {
    compiler.evictCache(CACHE_AGE)
  }
}

function typesetter(ctx: Ctx) {
  try {
    return (opened ??= open())
  } catch (error) {
    ctx.log.error({ err: error }, 'no typesetter')
    throw new Problem('UNAVAILABLE')
  }
}
