import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Ctx } from '#src/kit/context.ts'
import { languageTags, localized, type Locale } from '#src/kit/text/locale.ts'
import { epochMs, idRow, momentShape, rowsOf } from '#src/kit/db/rows.server.ts'
import { isLive } from '#src/listings/browse/browse.server.ts'
import { breedPath } from '#src/storefront/breeds/breed-paths.ts'
import { breeds, categories } from '#src/listings/reference/reference-data.ts'
import { isIndexed, proseSlugs } from '#src/content/prose/prose.ts'

/**
 * The sitemap: an index, one part with the pages, and the live listings in parts by id range. A part is a range scan of the primary key, so
 * the last part is as fast as the first however many animals there are, and a listing never changes its part.
 */
const IDS_PER_PART = 5_000

/** Prose and breed pages. */
const contentPaths = [...proseSlugs.filter(isIndexed).map((slug) => `/${slug}`), ...breeds.map((breed) => breedPath(breed))]

interface Entry {
  path: string
  lastChanged?: Date
}

/**
 * Search engines may read all but `closedPaths` (address prefixes, in both languages). Photos and share pictures are open, because image
 * search and link previews need them.
 */
export function robotsText(origin: string, closedPaths: readonly string[]): string {
  const closed = ['/api/', ...(['ta', 'en'] as Locale[]).flatMap((locale) => closedPaths.map((path) => localized(path, locale)))]
  // /media/ is allowed because the closed prefix of "My page" would match it.
  return ['User-agent: *', 'Allow: /media/', ...closed.map((path) => `Disallow: ${path}`), '', `Sitemap: ${origin}/sitemap.xml`, ''].join(
    '\n',
  )
}

const findSitemapPartsRow = z.object({ n: z.string() })

/** The parts with a live listing. Each is an EXISTS test, not a count. */
export async function findSitemapParts(ctx: Ctx): Promise<number[]> {
  const rows = await rowsOf(
    ctx,
    sql`
    select part.n from generate_series(0, (select coalesce(max(id), 0) from listings) / ${IDS_PER_PART}::bigint) part(n)
    where exists (select 1 from listings l where l.id >= part.n * ${IDS_PER_PART}::bigint
      and l.id < (part.n + 1) * ${IDS_PER_PART}::bigint and ${isLive(ctx.now)})
    order by part.n`,
    findSitemapPartsRow,
  )
  return rows.map(({ n }) => Number(n))
}

export function sitemapIndex(origin: string, parts: number[]): string {
  const files = ['pages', ...parts.map((part) => `listings-${part}`)]
  return `${XML}<sitemapindex xmlns="${SITEMAPS}">\n${files
    .map((file) => `<sitemap><loc>${escaped(`${origin}/sitemaps/${file}.xml`)}</loc></sitemap>\n`)
    .join('')}</sitemapindex>\n`
}

const findListingPartRow = z.object({ id: z.string(), sellerId: z.string(), touchedAt: momentShape })

/** Null when no listing of this part is for sale. */
export async function findListingPart(ctx: Ctx, part: number): Promise<string | null> {
  const rows = await rowsOf(
    ctx,
    sql`
    select l.id, l.seller_id as "sellerId", ${epochMs(sql`l.touched_at`)} as "touchedAt" from listings l
    where l.id >= ${part * IDS_PER_PART}::bigint and l.id < ${(part + 1) * IDS_PER_PART}::bigint and ${isLive(ctx.now)}
    order by l.id`,
    findListingPartRow,
  )
  if (rows.length === 0) return null
  const entries = rows.map((row) => ({ path: `/product/${row.id}`, lastChanged: row.touchedAt }))
  // Includes the sellers' pages; a seller with listings in several parts appears in each.
  const sellers = new Set(rows.map((row) => row.sellerId))
  return urlset(ctx.publicOrigin, [...entries, ...[...sellers].map((id) => ({ path: `/seller/${id}` }))])
}

/**
 * The six categories that the category row always shows, and any others with a live listing. Each is an EXISTS with a literal id: for a
 * join over all categories, the planner assumes that none is rare and reads the whole table for each.
 */
export async function listedCategories(ctx: Ctx): Promise<number[]> {
  const questions = categories
    .filter(({ id }) => id > ALWAYS_LISTED)
    .map(
      ({ id }) =>
        sql`select ${id}::smallint as id where exists (select 1 from listings l where l.category_id = ${id}::smallint and ${isLive(ctx.now)})`,
    )
  const rows = await rowsOf(ctx, sql.join(questions, sql` union all `), idRow)
  return categories.map(({ id }) => id).filter((id) => id <= ALWAYS_LISTED || rows.some((row) => row.id === id))
}
const ALWAYS_LISTED = 6

/** `listedPaths`: the fixed addresses of the page table. */
export function pagesSitemap(origin: string, listedPaths: readonly string[], categoryIds: number[]): string {
  return urlset(
    origin,
    [...listedPaths, ...contentPaths, '/buy/0', ...categoryIds.map((id) => `/buy/${id}`)].map((path) => ({ path })),
  )
}

const SITEMAPS = 'http://www.sitemaps.org/schemas/sitemap/0.9'
const XML = '<?xml version="1.0" encoding="UTF-8"?>\n'

/** Each page in each language, naming both, so that search engines treat them as translations of one page. */
function urlset(origin: string, entries: Entry[]): string {
  const lines = entries.flatMap(({ path, lastChanged }) => {
    const url = (locale: Locale) => escaped(origin + localized(path, locale))
    const twin = (language: string, locale: Locale) => `<xhtml:link rel="alternate" hreflang="${language}" href="${url(locale)}"/>`
    const twins = twin(languageTags.ta, 'ta') + twin(languageTags.en, 'en') + twin('x-default', 'ta')
    const changed = lastChanged ? `<lastmod>${lastChanged.toISOString()}</lastmod>` : ''
    return (['ta', 'en'] as Locale[]).map((locale) => `<url><loc>${url(locale)}</loc>${changed}${twins}</url>\n`)
  })
  return `${XML}<urlset xmlns="${SITEMAPS}" xmlns:xhtml="http://www.w3.org/1999/xhtml">\n${lines.join('')}</urlset>\n`
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
