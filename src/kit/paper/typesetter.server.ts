import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Ctx } from '../context.ts'
import { Problem } from '#src/kit/base/problem.ts'
import { projectRoot } from '#src/kit/base/project-root.server.ts'
import { fontFiles, fontNames, logMissingFonts } from './fonts.server.ts'

/**
 * Printed documents with Typst, which shapes Indian scripts correctly and lets them be copied from the PDF. Every template starts with our fonts and
 * no others: the host's fonts would make the same paper look different elsewhere.
 */
const head = `#set text(font: ${JSON.stringify(fontNames).replace('[', '(').replace(']', ')')}, fallback: false)\n`
/** How many later documents keep an unused memoized part in memory; the next document is often similar. */
const CACHE_AGE = 10

/** The methods of the typesetter's native package that we use. */
interface Compiler {
  pdf(document: Document): Buffer
  plainSvg(document: Document): string
  evictCache(maxAge: number): void
}
interface Document {
  mainFileContent: string
  inputs: { data: string }
}
interface Typst {
  NodeCompiler: { create(options: { fontArgs: { fontBlobs: Buffer[] }[] }): Compiler }
}

/**
 * The package that selects the build cannot be locked, because it names builds that some registries lack. So our package.json lists the builds as
 * optional dependencies, and this code takes the installed one.
 */
const builds = ['@myriaddreamin/typst-ts-node-compiler-linux-x64-gnu', '@myriaddreamin/typst-ts-node-compiler-linux-x64-musl']

let opened: Compiler | undefined

/** Loaded with the first document: the typesetter takes 50 MB, and most processes never print. */
function open(): Compiler {
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
  return NodeCompiler.create({ fontArgs: [{ fontBlobs: fontFiles.map((file) => readFileSync(file)) }] })
}

/** `template`: a .typ file below src/, which reads `data` as JSON from `sys.inputs.data`. */
interface Paper {
  template: string
  data: object
}

/**
 * Returns a PDF whose text can be copied and searched. Takes a few milliseconds, and 0.2 s for the first document. Throws UNAVAILABLE where the
 * typesetter has no build for this machine (it has one for Linux on x64).
 */
export const typesetPdf = (ctx: Ctx, paper: Paper): Buffer => typeset(ctx, paper, (compiler, document) => compiler.pdf(document))

/** Returns the same sheets as one SVG each, for viewing without a PDF program. Throws UNAVAILABLE as above. */
export const typesetPages = (ctx: Ctx, paper: Paper): string[] =>
  pagesOf(typeset(ctx, paper, (compiler, document) => compiler.plainSvg(document)))

const documentOf = ({ template, data }: Paper): Document => ({
  mainFileContent: head + readFileSync(join(projectRoot, 'src', template), 'utf8'),
  inputs: { data: JSON.stringify(data) },
})

function typeset<T>(ctx: Ctx, paper: Paper, work: (compiler: Compiler, document: Document) => T): T {
  const compiler = typesetter(ctx)
  const document = documentOf(paper)
  logMissingFonts(ctx.log, document.inputs.data)
  try {
    return work(compiler, document)
  } finally {
    compiler.evictCache(CACHE_AGE)
  }
}

function typesetter(ctx: Ctx): Compiler {
  try {
    return (opened ??= open())
  } catch (error) {
    ctx.log.error({ err: error }, 'no typesetter')
    throw new Problem('UNAVAILABLE')
  }
}

/**
 * The typesetter renders all sheets below one another in one picture: for each sheet a background shape and a translated group, then the glyphs of
 * all sheets. This function splits it, and each sheet keeps the glyphs that it uses.
 */
function pagesOf(svg: string): string[] {
  const sheets = [...svg.matchAll(/^ {4}<path class="typst-shape"[^>]*\/>\n {4}<g(?: transform="[^"]*")?>\n([\s\S]*?)\n {4}<\/g>$/gm)]
  const [, width, height] = /viewBox="0 0 ([\d.]+) ([\d.]+)"/.exec(svg) ?? []
  const letters = [...svg.matchAll(/<symbol id="(\w+)"[\s\S]*?<\/symbol>/g)]
  if (sheets.length === 0 || !width || !height) throw new Error('The typesetter draws sheets in another way than expected.')
  const box = `0 0 ${width} ${Number(height) / sheets.length}`
  return sheets.map(([, sheet = '']) => {
    const used = letters.filter(([, id]) => sheet.includes(`#${id}"`)).map(([letter]) => letter)
    const text = `<svg viewBox="${box}" xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"><rect width="100%" height="100%" fill="#fff"/><g>${sheet}</g><defs>${used.join('')}</defs></svg>`
    return text.replace(/>\s+</g, '><')
  })
}
