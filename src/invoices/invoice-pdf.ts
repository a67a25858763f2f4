import { requireViewer } from '#src/accounts/page-guards.server.ts'
import { pageLoader } from '#src/kit/page.server.ts'
import { notFound } from '#src/kit/problem.ts'
import { paperOf } from './paper.ts'
import { pdfOf } from './pdf.server.ts'
import { getInvoice } from './queries.server.ts'

/** The same document as a file named by the order's number. */
export const loader = pageLoader(async (ctx, { params, url }) => {
  requireViewer(ctx, url)
  const { orderId = '' } = params
  if (!/^[1-9]\d{0,14}$/.test(orderId)) throw notFound()
  const of = url.searchParams.get('of')
  const paper = paperOf(await getInvoice(ctx, Number(orderId), of === 'receipt' || of === 'commission' ? of : undefined), ctx.locale)
  const pdf = pdfOf(ctx, paper)
  return new Response(new Uint8Array(pdf), {
    headers: {
      'Content-Type': 'application/pdf',
      'Content-Disposition': `attachment; filename="${paper.file.replace(/[^\w.-]/g, '_')}"`,
      'Cache-Control': 'no-store',
    },
  })
})
