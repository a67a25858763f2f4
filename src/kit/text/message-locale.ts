import { localeOfPath, type Locale } from './locale.ts'

/**
 * Replaces Paraglide's runtime in the browser (vite.config.ts). That runtime has ten strategies to find the locale and is larger than a page's
 * messages; here the URL alone decides.
 */
export const experimentalStaticLocale: Locale | undefined = undefined
export const getLocale = (): Locale => localeOfPath(window.location.pathname)
