import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler'
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

let opened: Promise<{ compiler: NodeCompiler; source: string }> | undefined

/** Loaded with the first document: the typesetter takes 50 MB, and most processes never print anything. */
async function open() {
  const { NodeCompiler } = await import('@myriaddreamin/typst-ts-node-compiler')
  return {
    compiler: NodeCompiler.create({ fontArgs: [{ fontBlobs: fonts.map((file) => readFileSync(file)) }] }),
    source: readFileSync(template, 'utf8'),
  }
}

/**
 * The paper as a PDF whose text can be copied and searched, Tamil too. A few milliseconds, after 0.2 s for the first.
 * UNAVAILABLE where the typesetter has no build for this machine (it has one for Linux on x64).
 */
export async function pdfOf(ctx: Ctx, paper: Paper): Promise<Buffer> {
  const { compiler, source } = await (opened ??= open()).catch((error: unknown) => {
    opened = undefined
    ctx.log.error({ err: error }, 'no typesetter')
    throw new Problem('UNAVAILABLE')
  })
  const say = { locale: ctx.locale }
  const data = {
    ...paper,
    lang: ctx.locale,
    brand: m.site_name({}, say),
    draft: m.invoice_draft({}, say),
    inWordsLabel: m.invoice_in_words({}, say),
    footer: ctx.publicOrigin.replace(/^https?:\/\//, ''),
  }
  try {
    return compiler.pdf({ mainFileContent: source, inputs: { paper: JSON.stringify(data) } })
  } finally {
    compiler.evictCache(CACHE_AGE)
  }
}
