import type { Locale } from '#src/kit/text/locale.ts'
import { pageMeta } from '#src/kit/http/seo.ts'
import { m } from '#src/paraglide/messages.js'

/** The head of a page that must not be indexed. */
export const identityMeta = (path: string, title: string, description: string, page: { locale: Locale; origin: string }) =>
  pageMeta({
    ...page,
    path,
    title,
    description,
    keywords: import.meta.env.SSR && m.home_keywords(),
    siteName: m.site_name(),
    noIndex: true,
  })
