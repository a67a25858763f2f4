import type { Locale } from '#src/kit/text/locale.ts'
import { pageMeta } from '#src/kit/http/seo.ts'
import { m } from '#src/paraglide/messages.js'

/** The head of a page that search engines should not list. */
export const plainMeta = (page: { path: string; title: string; description: string; locale: Locale; origin: string }) =>
  pageMeta({ ...page, keywords: import.meta.env.SSR && m.home_keywords(), siteName: m.site_name(), noIndex: true })
