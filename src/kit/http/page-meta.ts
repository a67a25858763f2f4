import { localeOfPath, type Locale } from '#src/kit/text/locale.ts'
import { m } from '#src/paraglide/messages.js'
import { canonicalPath, pageMeta, type PageFacts } from './seo.ts'

/** The `Route.MetaArgs` of a page; without data when the loader failed. */
interface PageArgs {
  loaderData?: unknown
}

/** The root's data has the origin. In `Route.MetaArgs`, the matches contain the page's own `meta`: a circle. */
interface SiteArgs {
  location: { pathname: string }
  matches: readonly [{ loaderData?: { publicOrigin: string } | undefined }, ...unknown[]]
}

interface SiteFacts {
  locale: Locale
  origin: string
  /** The path of the address, without language and query. */
  path: string
}

type Head = Omit<PageFacts, 'locale' | 'origin' | 'siteName'>

/** The `meta` of a page: what it says of itself, with the language, the origin and the name of the site. */
export const publicMeta =
  <Args extends PageArgs>(headOf: (page: NonNullable<Args['loaderData']>, site: SiteFacts) => Head) =>
  ({ loaderData, location, matches: [root] }: Pick<Args, 'loaderData'> & SiteArgs) => {
    if (!loaderData || !root.loaderData) return []
    const site = { locale: localeOfPath(location.pathname), origin: root.loaderData.publicOrigin, path: canonicalPath(location.pathname) }
    return pageMeta({ ...site, ...headOf(loaderData, site), siteName: m.site_name() })
  }

/** The `meta` of a page that search engines should not list. Its path is that of the address unless `headOf` names another one. */
export const plainMeta = <Args extends PageArgs>(
  headOf: (page: NonNullable<Args['loaderData']>) => Pick<Head, 'title' | 'description'> & { path?: string },
) => publicMeta<Args>((page, { path }) => ({ path, ...headOf(page), keywords: import.meta.env.SSR && m.home_keywords(), noIndex: true }))
