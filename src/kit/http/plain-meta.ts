import type { Locale } from '#src/kit/text/locale.ts'
import { m } from '#src/paraglide/messages.js'
import { pageMeta } from './seo.ts'

/** The `Route.MetaArgs` of a page; without data when the loader failed. */
interface MetaArgs {
  loaderData?: { locale: Locale; origin: string } | undefined
}

interface PlainHead {
  /** Without the language. */
  path: string
  title: string
  description: string
}

/** The `meta` of a page that search engines should not list. */
export const plainMeta =
  <Args extends MetaArgs>(headOf: (page: NonNullable<Args['loaderData']>) => PlainHead) =>
  ({ loaderData }: Args) =>
    loaderData
      ? pageMeta({
          ...headOf(loaderData),
          locale: loaderData.locale,
          origin: loaderData.origin,
          keywords: import.meta.env.SSR && m.home_keywords(),
          siteName: m.site_name(),
          noIndex: true,
        })
      : []
