import { useLocation } from 'react-router'
import { localeOfPath, localized, type Locale } from '#src/kit/text/locale.ts'

/** The language of the current page, from its URL. */
export function useLocale(): Locale {
  return localeOfPath(useLocation().pathname)
}

/** Turns a bare path (`/buy/0`) into a link in the page's language. */
export function useLocalPath(): (path: string) => string {
  const locale = useLocale()
  return (path) => localized(path, locale)
}
