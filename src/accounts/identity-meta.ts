import type { Locale } from '#src/kit/locale.ts'
import { pageMeta } from '#src/kit/seo.ts'
import { m } from '#src/paraglide/messages.js'

/** The head of a page that only one person needs. */
export const identityMeta = (path: string, title: string, page: { locale: Locale; origin: string }) =>
  pageMeta({
    ...page,
    path,
    title,
    description: m.login_description(),
    keywords: m.home_keywords(),
    siteName: m.site_name(),
    noIndex: true,
  })
