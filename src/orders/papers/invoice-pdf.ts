import { pdfOf } from '#src/invoices/pdf.server.ts'
import { download } from '#src/kit/http/download.server.ts'
import { pageLoader } from '#src/kit/http/page.server.ts'
import { shownDocument } from './document-view.server.ts'

/** The document as a PDF, named by the order's number. */
export const loader = pageLoader(async (ctx, { params, url }) => {
  const { paper, qr, payment } = await shownDocument(ctx, params.orderId, url)
  const pdf = pdfOf(ctx, paper, { qr, payment })
  return download(paper.file.replace(/[^\w.-]/g, '_'), pdf)
})
