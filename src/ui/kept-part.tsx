import { useEffect } from 'react'

/** What the server drew, by id, read before React looks at it. */
const kept = new Map<string, string | undefined>()

function htmlOf(id: string): string | undefined {
  if (!kept.has(id)) kept.set(id, document.getElementById(id)?.innerHTML)
  return kept.get(id)
}

/**
 * In the browser, a part that only the server draws: its words and drawings, in two languages, never travel as code.
 *
 *     {import.meta.env.SSR ? <div id="footer"><Footer /></div> : <KeptPart id="footer" />}
 *
 * Nothing in it may need JavaScript. Who comes to such a page by a tap within the site has no such part yet: the document is
 * loaded, so links to it are better made with `reloadDocument`.
 */
export function KeptPart({ id, className }: { id: string; className?: string }) {
  const html = htmlOf(id)
  useEffect(() => {
    if (html !== undefined) return
    kept.delete(id)
    window.location.reload()
  }, [id, html])
  return <div id={id} className={className} dangerouslySetInnerHTML={{ __html: html ?? '' }} suppressHydrationWarning />
}
