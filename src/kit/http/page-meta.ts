import { localeOfPath, type Locale } from '#src/kit/text/locale.ts'
import { m } from '#src/paraglide/messages.js'
import { pageMeta, type PageFacts } from './seo.ts'

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
}

type Head = Omit<PageFacts, 'locale' | 'origin' | 'siteName'>

/** The `meta` of a page: what it says of itself, with the language, the origin and the name of the site. */
export const publicMeta =
  <Args extends PageArgs>(headOf: (page: NonNullable<Args['loaderData']>, site: SiteFacts) => Head) =>
  ({ loaderData, location, matches: [root] }: Pick<Args, 'loaderData'> & SiteArgs) => {
    if (!loaderData || !root.loaderData) return []
    const site = { locale: localeOfPath(location.pathname), origin: root.loaderData.publicOrigin }
    return pageMeta({ ...headOf(loaderData, site), ...site, siteName: m.site_name() })
  }

/** The `meta` of a page that search engines should not list. */
export const plainMeta = <Args extends PageArgs>(
  headOf: (page: NonNullable<Args['loaderData']>) => Pick<Head, 'path' | 'title' | 'description'>,
) => publicMeta<Args>((page) => ({ ...headOf(page), keywords: import.meta.env.SSR && m.home_keywords(), noIndex: true }))
