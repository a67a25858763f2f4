import { use, useEffect, type ReactElement } from 'react'
import { useLocale } from './language.ts'
import { PageInfo } from './page-info.ts'

interface ServerOnlyProps {
  /** Unlike any other on the page. */
  id: string
  className?: string
  part: ReactElement | false
  /** Rendered for each visitor. */
  isPersonal?: boolean
}

/**
 * A component that only the server renders: its words and drawings, in two languages, never travel as code.
 *
 *     <ServerOnly id="footer" part={import.meta.env.SSR && <SiteFooter />} />
 *
 * The browser leaves what the server sent. Nothing in it may need JavaScript. The server renders it once for each language, unless
 * it `isPersonal`. A client-side navigation to such a page does not have the component yet: the document is
 * loaded, so links to it are better made with `reloadDocument`.
 */
export function ServerOnly({ id, className, part, isPersonal = false }: ServerOnlyProps) {
  const { renderPart } = use(PageInfo)
  const locale = useLocale()
  const html = part && renderPart ? renderPart(id, locale, part, isPersonal) : sentHtml(id)
  useEffect(() => {
    // Without a line a new document brings no part, and takes away what was begun on the page.
    if (html !== undefined || !navigator.onLine) return
    sent.delete(id)
    window.location.reload()
  }, [id, html])
  return <div id={id} className={className} dangerouslySetInnerHTML={{ __html: html ?? '' }} suppressHydrationWarning />
}

/** In the browser: what the server rendered, by id, read before React hydrates it. */
const sent = new Map<string, string | undefined>()

function sentHtml(id: string): string | undefined {
  if (!sent.has(id)) sent.set(id, document.getElementById(id)?.innerHTML)
  return sent.get(id)
}
