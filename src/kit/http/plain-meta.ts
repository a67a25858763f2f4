import type { Locale } from '#src/kit/text/locale.ts'
import { m } from '#src/paraglide/messages.js'
import { pageMeta } from './seo.ts'

interface PlainPage {
  path: string
  title: string
  description: string
  locale: Locale
  origin: string
}

/** The head of a page that search engines should not list. */
export const plainMeta = ({ path, title, description, locale, origin }: PlainPage) =>
  pageMeta({
    path,
    title,
    description,
    locale,
    origin,
    keywords: import.meta.env.SSR && m.home_keywords(),
    siteName: m.site_name(),
    noIndex: true,
  })
