import { m } from '#src/paraglide/messages.js'
import { useLocalPath } from '#src/ui/language.ts'
import { Pager } from '#src/ui/pager.tsx'
import { EnquiryCard } from './enquiry-card.tsx'
import type { ShownEnquiry } from './enquiry-view.server.ts'

export function EnquiryCards({ enquiries, first, next }: { enquiries: ShownEnquiry[]; first: string | null; next: string | null }) {
  return (
    <>
      <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
        {enquiries.map((enquiry) => (
          <li key={enquiry.id} className="min-w-0">
            <EnquiryCard enquiry={enquiry} />
          </li>
        ))}
      </ul>
      <Pager label={m.wanted_pages()} first={first} next={next} />
    </>
  )
}

/** `showAll`: a link to the list without filters. */
export function NoEnquiries({ showAll }: { showAll: string | null }) {
  const to = useLocalPath()
  return (
    <div className="empty-panel">
      <p className="text-lg">{m.wanted_none()}</p>
      <div className="row justify-center gap-3">
        <a href={to('/add-enquiry')} className="button-primary">
          {m.enquiry_add_title()}
        </a>
        {showAll && (
          <a href={to(showAll)} className="button-plain">
            {m.own_show_all()}
          </a>
        )}
      </div>
    </div>
  )
}
