import { LRUCache } from 'lru-cache'
import type { ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { StaticRouter } from 'react-router'

/** A row of a list takes about 5 KB with its key. */
const CACHED_SLOTS = 2000
const slots = new LRUCache<string, string>({ max: CACHED_SLOTS })

/**
 * Renders a server-only component (document/server-only.tsx): plain markup without React's marks, with its own small router for links, which stands at
 * `home`, the path of the home page in the page's language. Cached per properties and `home`, unless it `isPersonal`. Hydration skips it because
 * it is `dangerouslySetInnerHTML`.
 * To remove: render the component in place; its texts and drawings then become part of the browser's code.
 */
export function renderSlot(id: string, home: string, part: ReactElement, isPersonal: boolean, within = alone): string {
  const render = () => renderToStaticMarkup(within(<StaticRouter location={home}>{part}</StaticRouter>))
  if (isPersonal || !import.meta.env.PROD) return render()
  const key = `${id} ${home} ${JSON.stringify(part.props, exactly)}`
  const html = slots.get(key) ?? render()
  slots.set(key, html)
  return html
}

/** The default of `within`, which puts the slot into contexts. */
const alone = (part: ReactElement) => part

/** Money is a bigint, which JSON lacks. */
const exactly = (_: string, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value)
