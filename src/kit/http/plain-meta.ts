import { localeOfPath } from '#src/kit/text/locale.ts'
import { m } from '#src/paraglide/messages.js'
import { pageMeta } from './seo.ts'

/** The `Route.MetaArgs` of a page; without data when the loader failed. */
interface PageArgs {
  loaderData?: unknown
}

/** The root's data has the origin. In `Route.MetaArgs`, the matches contain the page's own `meta`: a circle. */
interface SiteArgs {
  location: { pathname: string }
  matches: readonly [{ loaderData?: { publicOrigin: string } | undefined }, ...unknown[]]
}

interface PlainHead {
  /** Without the language. */
  path: string
  title: string
  description: string
}

/** The `meta` of a page that search engines should not list. */
export const plainMeta =
  <Args extends PageArgs>(headOf: (page: NonNullable<Args['loaderData']>) => PlainHead) =>
  ({ loaderData, location, matches: [root] }: Pick<Args, 'loaderData'> & SiteArgs) =>
    loaderData && root.loaderData
      ? pageMeta({
          ...headOf(loaderData),
          locale: localeOfPath(location.pathname),
          origin: root.loaderData.publicOrigin,
          keywords: import.meta.env.SSR && m.home_keywords(),
          siteName: m.site_name(),
          noIndex: true,
        })
      : []
