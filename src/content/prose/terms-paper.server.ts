import type { Ctx } from '#src/kit/context.ts'
import { localized, type Locale } from '#src/kit/text/locale.ts'
import { Problem } from '#src/kit/base/problem.ts'
import { typesetPages, typesetPdf } from '#src/kit/paper/typesetter.server.ts'
import { m } from '#src/paraglide/messages.js'
import { SHEET_NUMBER } from './prose.ts'
import { proseHead } from './prose-heads.server.ts'
import { textOf } from './prose-text.tsx'
import { blocksOf } from './text-blocks.ts'

interface TermsPaper {
  pdf: Buffer
  /** One SVG per sheet. */
  pages: string[]
}

/** The text changes with a release only, so the paper is generated once per language. */
const made = new Map<Locale, TermsPaper>()

/** The terms as a PDF, from the same text as their page. Raises UNAVAILABLE without a typesetter. */
export function termsPaper(ctx: Ctx): TermsPaper {
  const { locale, publicOrigin } = ctx
  const known = made.get(locale)
  if (known) return known
  const { title, description } = proseHead('terms', locale)
  const blocks = blocksOf(textOf('terms', locale)({})).map(({ runs, ...block }) => ({
    ...block,
    runs: runs.map(({ href, ...run }) => ({ ...run, href: href?.startsWith('/') ? publicOrigin + localized(href, locale) : href })),
  }))
  const data = {
    title,
    lead: description,
    brand: m.site_name({}, { locale }),
    lang: locale,
    footer: publicOrigin.replace(/^https?:\/\//, '') + localized('/terms', locale),
    blocks,
  }
  const paper = { template: 'content/prose/text.typ', data }
  const both = { pdf: typesetPdf(ctx, paper), pages: typesetPages(ctx, paper) }
  made.set(locale, both)
  return both
}

/** The requested sheet and the number of sheets; null when no paper can be made: then the page shows the text alone. */
export function shownSheet(ctx: Ctx, asked: string | null): { page: number; pages: number } | null {
  try {
    const { pages } = termsPaper(ctx)
    const page = SHEET_NUMBER.test(asked ?? '') ? Number(asked) : 1
    return { page: Math.min(page, pages.length), pages: pages.length }
  } catch (error) {
    if (error instanceof Problem && error.code === 'UNAVAILABLE') return null
    throw error
  }
}
