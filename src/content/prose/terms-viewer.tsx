import { m } from '#src/paraglide/messages.js'
import { Icon } from '#src/ui/icon.tsx'
import { useLocalPath } from '#src/ui/language.ts'

/** The PDF sheet by sheet, as pictures that the server renders, so that reading needs neither a PDF viewer nor JavaScript. */
export function TermsViewer({ page, pages }: { page: number; pages: number }) {
  const to = useLocalPath()
  const sheet = (number: number) => to(`/terms?page=${number}#pdf`)
  return (
    <section id="pdf" aria-labelledby="pdf-title" className="panel overflow-hidden lg:sticky lg:top-20">
      <h2 id="pdf-title" className="panel-title text-lg">
        {m.terms_viewer()}
      </h2>
      <img
        src={to(`/terms/page/${page}`)}
        alt={m.terms_sheet({ page })}
        width={595}
        height={842}
        className="aspect-[595/842] w-full border-b border-line bg-white"
      />
      <nav aria-label={m.terms_viewer()} className="flex items-center justify-between gap-2 p-3">
        {page > 1 ? (
          <a href={sheet(page - 1)} rel="nofollow" className="button-plain px-3">
            <Icon name="previous" size={20} />
            {m.terms_previous()}
          </a>
        ) : (
          <span />
        )}
        <p aria-current="page">{m.terms_page({ page, pages })}</p>
        {page < pages ? (
          <a href={sheet(page + 1)} rel="nofollow" className="button-plain px-3">
            {m.terms_next()}
            <Icon name="next" size={20} />
          </a>
        ) : (
          <span />
        )}
      </nav>
    </section>
  )
}
