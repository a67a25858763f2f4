import type { ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { StaticRouter } from 'react-router'
import { localized, type Locale } from '#src/kit/text/locale.ts'

const slots = new Map<string, string>()

/**
 * A component that only the server renders (ui/server-only.tsx): plain markup without React's marks, with a small router of its own for its
 * links. Rendered once for its properties in each language, unless it `isPersonal`. Hydration leaves it alone because it stands as
 * `dangerouslySetInnerHTML`.
 * To remove: render the component in its place, and its words and drawings travel as code.
 */
export function renderSlot(id: string, locale: Locale, part: ReactElement, isPersonal: boolean): string {
  const render = () => renderToStaticMarkup(<StaticRouter location={localized('/', locale)}>{part}</StaticRouter>)
  if (isPersonal || !import.meta.env.PROD) return render()
  const key = `${id} ${locale} ${JSON.stringify(part.props)}`
  const html = slots.get(key) ?? render()
  slots.set(key, html)
  return html
}
