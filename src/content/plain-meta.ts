import type { Locale } from '#src/kit/locale.ts'
import { pageMeta } from '#src/kit/seo.ts'
import { m } from '#src/paraglide/messages.js'

/** The head of a page that somebody needs and no search engine should list. */
export const plainMeta = (page: { path: string; title: string; description: string; locale: Locale; origin: string }) =>
  pageMeta({ ...page, keywords: m.home_keywords(), siteName: m.site_name(), noIndex: true })
