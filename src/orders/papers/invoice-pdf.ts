import { pdfOf } from '#src/invoices/pdf.server.ts'
import { pageLoader } from '#src/kit/http/page.server.ts'
import { shownDocument } from './document-view.server.ts'

/** The document as a PDF, named by the order's number. */
export const loader = pageLoader(async (ctx, { params, url }) => {
  const { paper, qr, payment } = await shownDocument(ctx, params.orderId, url)
  const pdf = pdfOf(ctx, paper, { qr, payment })
  return new Response(new Uint8Array(pdf), {
    headers: {
      'Content-Type': 'application/pdf',
      'Content-Disposition': `attachment; filename="${paper.file.replace(/[^\w.-]/g, '_')}"`,
      'Cache-Control': 'no-store',
    },
  })
})
