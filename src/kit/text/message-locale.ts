import type { Locale } from './locale.ts'
import { localeOfPath } from './locale.ts'

/**
 * What the compiled messages ask in the browser, in place of Paraglide's own runtime (vite.config.ts): that one can tell a
 * locale in ten ways, and weighs more than the words of a page. Here the address alone decides.
 */
export const experimentalStaticLocale: Locale | undefined = undefined
export const getLocale = (): Locale => localeOfPath(window.location.pathname)
