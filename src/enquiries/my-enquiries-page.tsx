import { LoggedOut } from '#src/accounts/sign-in/logged-out.tsx'
import { pageLoader } from '#src/kit/http/page.server.ts'
import { decodeCursor, encodeCursor } from '#src/kit/http/pagination.ts'
import { plainMeta } from '#src/kit/http/page-meta.ts'
import { m } from '#src/paraglide/messages.js'
import { useLocalPath } from '#src/ui/language.ts'
import { EnquiryCards, NoEnquiries } from './enquiry-list.tsx'
import { shownEnquiry } from './enquiry-view.server.ts'
import { listOwnEnquiries } from './queries.server.ts'
import type { Route } from './+types/my-enquiries-page'

const LIST = 'my-enquiries'

export const loader = pageLoader(async (ctx, { url }) => {
  if (!ctx.viewer) return { kind: 'logged-out' as const }
  const cursor = decodeCursor(url.searchParams.get('after'), LIST, /^\d{1,14}$/)
  const page = await listOwnEnquiries(ctx, cursor && { rank: 0, createdMs: Number(cursor.value), id: cursor.id })
  return {
    kind: 'list' as const,
    enquiries: page.enquiries.map((enquiry) => shownEnquiry(ctx, enquiry)),
    count: page.count,
    next: page.next && encodeCursor(LIST, { value: String(page.next.createdMs), id: page.next.id }),
    isFirstPage: cursor === null,
  }
})

export const headers = () => ({ 'Cache-Control': 'no-store' })

export const meta = plainMeta<Route.MetaArgs>(() => ({ title: m.enquiry_mine_title(), description: m.enquiry_mine_lead() }))

export default function MyEnquiriesPage({ loaderData: page }: Route.ComponentProps) {
  const to = useLocalPath()
  return (
    <div className="space-y-4 py-2">
      <div className="row justify-between gap-3">
        <h1 className="text-2xl">{m.enquiry_mine_title()}</h1>
        {page.kind === 'list' && page.count > 0 && (
          <a href={to('/add-enquiry')} className="button-primary">
            {m.enquiry_add_title()}
          </a>
        )}
      </div>
      {page.kind === 'logged-out' ? (
        <LoggedOut path="/my-enquiries" />
      ) : page.enquiries.length === 0 ? (
        <NoEnquiries showAll={page.isFirstPage ? null : '/my-enquiries'} />
      ) : (
        <>
          <p className="text-stone">{page.count === 1 ? m.wanted_found_one() : m.wanted_found({ count: String(page.count) })}</p>
          <EnquiryCards
            enquiries={page.enquiries}
            first={page.isFirstPage ? null : to('/my-enquiries')}
            next={page.next && to(`/my-enquiries?after=${page.next}`)}
          />
        </>
      )}
    </div>
  )
}
