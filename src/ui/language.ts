import { useLocation } from 'react-router'
import { localeOfPath, localized, type Locale } from '#src/kit/text/locale.ts'

/** The language of the page being shown: the URL's. */
export function useLocale(): Locale {
  return localeOfPath(useLocation().pathname)
}

/** Makes a bare path (`/buy/0`) a link of the page's own language. */
export function useLocalPath(): (path: string) => string {
  const locale = useLocale()
  return (path) => localized(path, locale)
}
