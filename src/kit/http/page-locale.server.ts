import { AsyncLocalStorage } from 'node:async_hooks'
import { overwriteGetLocale } from '#src/paraglide/runtime.js'
import { baseLocale, type Locale } from '#src/kit/text/locale.ts'

// Messages in components ask for "the" locale. It belongs to the request being rendered, never to the process:
// two visitors in two languages are rendered at the same time.
const current = new AsyncLocalStorage<Locale>()
overwriteGetLocale(() => current.getStore() ?? baseLocale)

export function inLocale<T>(locale: Locale, act: () => T): T {
  return current.run(locale, act)
}
