import { pageLoader } from '#src/kit/http/page.server.ts'
import { shownDocument } from './document-view.server.ts'

/** The document for the modal dialog (invoices/receipt-dialog.tsx). */
export const loader = pageLoader(async (ctx, { params, url }) => {
  return Response.json(await shownDocument(ctx, params.orderId, url), { headers: { 'Cache-Control': 'no-store' } })
})
