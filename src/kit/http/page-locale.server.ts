import { AsyncLocalStorage } from 'node:async_hooks'
import { overwriteGetLocale } from '#src/paraglide/runtime.js'
import { baseLocale, type Locale } from '#src/kit/text/locale.ts'

// Messages in components read a global locale. It belongs to the request being rendered, not to the process, because the server renders pages in both
// languages at the same time.
const current = new AsyncLocalStorage<Locale>()
overwriteGetLocale(() => current.getStore() ?? baseLocale)

export function inLocale<T>(locale: Locale, act: () => T): T {
  return current.run(locale, act)
}
