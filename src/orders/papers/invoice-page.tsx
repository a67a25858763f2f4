import { requireViewer } from '#src/accounts/page-guards.server.ts'
import { can } from '#src/accounts/policy.ts'
import { InvoicePaper } from '#src/invoices/invoice-paper.tsx'
import { pageLoader } from '#src/kit/http/page.server.ts'
import { plainMeta } from '#src/kit/http/page-meta.ts'
import { m } from '#src/paraglide/messages.js'
import { useLocalPath } from '#src/ui/language.ts'
import { shownDocument } from './document-view.server.ts'
import type { Route } from './+types/invoice-page'

/** The viewer's document of an order, to read and download: seller's or buyer's; an admin chooses (`?of=receipt`). */
export const loader = pageLoader(async (ctx, { params, url }) => {
  const viewer = requireViewer(ctx, url)
  const { paper, orderId, kind, qr, payment } = await shownDocument(ctx, params.orderId, url)
  const back = kind === 'commission' && !can(viewer, 'operate') ? '/seller-product/?tab=1' : '/orders'
  return { orderId, kind, paper, payment, qr, back }
})

export const headers = () => ({ 'Cache-Control': 'no-store' })

export const meta = plainMeta<Route.MetaArgs>((page) => ({
  title: `${page.paper.title} ${page.paper.facts[0]![1]}`,
  description: page.paper.title,
}))

export default function InvoicePage({ loaderData: { paper, payment, qr, orderId, kind, back } }: Route.ComponentProps) {
  const to = useLocalPath()
  return (
    <div className="page-column max-w-2xl">
      <a href={to(`${back}#o${orderId}`)} className="tap-link font-semibold print:hidden">
        {m.handover_back()}
      </a>
      <article className="panel p-4 sm:p-6">
        <h1 className="mb-4 text-2xl">{paper.title}</h1>
        <InvoicePaper paper={paper} qr={qr} />
      </article>
      {payment && <p className="notice font-semibold">{payment}</p>}
      <a href={to(`/orders/${orderId}/invoice.pdf?of=${kind}`)} download={paper.file} className="button-primary w-full print:hidden">
        {m.invoice_download()}
      </a>
    </div>
  )
}
