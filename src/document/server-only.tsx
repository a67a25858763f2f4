import { use, useEffect, type ReactElement } from 'react'
import { useLocale } from '#src/ui/language.ts'
import { PageInfo } from './page-info.ts'

interface ServerOnlyProps {
  /** Unique within the page. */
  id: string
  className?: string
  part: ReactElement | false
  /** Rendered for each visitor. */
  isPersonal?: boolean
}

/**
 * A component that only the server renders, so its texts and drawings in two languages are never part of the browser's code.
 *
 *     <ServerOnly id="footer" part={import.meta.env.SSR && <SiteFooter />} />
 *
 * The browser keeps the server's HTML. Nothing in it may need JavaScript. The server renders it once per language, unless it `isPersonal`. After a
 * client-side navigation to such a page, the browser lacks this HTML and loads the document, so links to it should use `reloadDocument`.
 */
export function ServerOnly({ id, className, part, isPersonal = false }: ServerOnlyProps) {
  const { renderPart } = use(PageInfo)
  const locale = useLocale()
  const html = part && renderPart ? renderPart(id, locale, part, isPersonal) : sentHtml(id)
  useEffect(() => {
    // Offline, a reload would lose the page and what the person has typed.
    if (html !== undefined || !navigator.onLine) return
    sent.delete(id)
    window.location.reload()
  }, [id, html])
  return <div id={id} className={className} dangerouslySetInnerHTML={{ __html: html ?? '' }} suppressHydrationWarning />
}

/** In the browser: the server's HTML by id, read before React hydrates. */
const sent = new Map<string, string | undefined>()

function sentHtml(id: string): string | undefined {
  if (!sent.has(id)) sent.set(id, document.getElementById(id)?.innerHTML)
  return sent.get(id)
}
