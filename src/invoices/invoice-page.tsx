import { requireViewer } from '#src/accounts/page-guards.server.ts'
import { pageLoader } from '#src/kit/page.server.ts'
import { notFound } from '#src/kit/problem.ts'
import { pageMeta } from '#src/kit/seo.ts'
import { m } from '#src/paraglide/messages.js'
import { useLocalPath } from '#src/ui/language.ts'
import { InvoicePaper } from './invoice-paper.tsx'
import { paperOf } from './paper.ts'
import { getInvoice } from './queries.server.ts'
import type { Route } from './+types/invoice-page'

/** One's own document of an order, to read and to take away: the seller's, or the buyer's; an admin says which (`?of=receipt`). */
export const loader = pageLoader(async (ctx, { params, url }) => {
  requireViewer(ctx, url)
  const { orderId = '' } = params
  if (!/^[1-9]\d{0,14}$/.test(orderId)) throw notFound()
  const of = url.searchParams.get('of')
  const invoice = await getInvoice(ctx, Number(orderId), of === 'receipt' || of === 'commission' ? of : undefined)
  return {
    orderId: invoice.orderId,
    kind: invoice.kind,
    paper: paperOf(invoice, ctx.locale),
    locale: ctx.locale,
    origin: ctx.publicOrigin,
  }
})

export const headers = () => ({ 'Cache-Control': 'no-store' })

export const meta = ({ loaderData }: Route.MetaArgs) =>
  loaderData
    ? pageMeta({
        ...loaderData,
        path: `/orders/${loaderData.orderId}/invoice`,
        title: `${loaderData.paper.title} ${loaderData.paper.facts[0]![1]}`,
        description: loaderData.paper.title,
        keywords: m.home_keywords(),
        siteName: m.site_name(),
        noIndex: true,
      })
    : []

export default function InvoicePage({ loaderData: { paper, orderId, kind } }: Route.ComponentProps) {
  const to = useLocalPath()
  return (
    <div className="mx-auto max-w-2xl space-y-4 py-2">
      <InvoicePaper paper={paper} />
      <a href={to(`/orders/${orderId}/invoice.pdf?of=${kind}`)} download={paper.file} className="button-primary w-full print:hidden">
        {m.invoice_download()}
      </a>
    </div>
  )
}
