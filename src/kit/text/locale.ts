import { pagePathOf } from '#src/router-seams/data-url.ts'

/** Tamil pages have the bare path; English pages have `/en` + the same path (decision 0006). */
export type Locale = 'ta' | 'en'
export const baseLocale: Locale = 'ta'
export const languageTags: Record<Locale, string> = { ta: 'ta-IN', en: 'en-IN' }

export function localeOfPath(pathname: string): Locale {
  return /^\/en(\/|$)/i.test(pagePathOf(pathname)) ? 'en' : 'ta'
}

/**
 * Returns the path without its language: `/en/buy/0` and `/buy/0` are the same page. The result starts with exactly one slash, because `//elsewhere`
 * in a redirect would be another site.
 */
export function bare(pathname: string): string {
  return pathname.replace(/^\/en(?=\/|$)/i, '').replace(/^\/*/, '/')
}

/** `path` has no language prefix (`/buy/0?q=…`). */
export function localized(path: string, locale: Locale): string {
  if (locale === 'ta') return path
  return path === '/' || path.startsWith('/?') || path.startsWith('/#') ? `/en${path.slice(1)}` : `/en${path}`
}
