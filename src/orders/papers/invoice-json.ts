import { requireViewer } from '#src/accounts/page-guards.server.ts'
import { pageLoader } from '#src/kit/http/page.server.ts'
import { shownDocument } from './shown-document.server.ts'

/** The same document for the modal over a page (invoices/receipt-dialog.tsx). */
export const loader = pageLoader(async (ctx, { params, url }) => {
  requireViewer(ctx, url)
  return Response.json(await shownDocument(ctx, params.orderId, url), { headers: { 'Cache-Control': 'no-store' } })
})
