import type { Locale } from './locale.ts'
import { localeOfPath } from './locale.ts'

/**
 * Replaces Paraglide's own runtime in the browser (vite.config.ts): that one has ten strategies to find the locale, and weighs
 * more than the messages of a page. Here the address alone decides.
 */
export const experimentalStaticLocale: Locale | undefined = undefined
export const getLocale = (): Locale => localeOfPath(window.location.pathname)
