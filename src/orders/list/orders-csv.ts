import { redirect } from 'react-router'
import { fileAction, sentence } from '#src/accounts/identity/file-action.server.ts'
import { requireViewer } from '#src/accounts/page-guards.server.ts'
import { can, mayNot } from '#src/accounts/policy.ts'
import { audit } from '#src/kit/records/audit.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { csvLine } from '#src/kit/text/csv.ts'
import { localized } from '#src/kit/text/locale.ts'
import { download } from '#src/kit/http/download.server.ts'
import { pageLoader } from '#src/kit/http/page.server.ts'
import { indianDay } from '#src/kit/time-money/dates.ts'
import { exportOrders } from '../queries.server.ts'
import { csvHead, orderCells } from './orders-csv.server.ts'
import { filtersIn } from './order-filters.server.ts'

/** A form requests the file with the admin's password; a direct visit redirects to that form. */
export const loader = pageLoader(async (ctx, { url }) => {
  const viewer = requireViewer(ctx, url)
  // A file has no page around it, so a refusal is the sentence alone.
  if (!can(viewer, 'operate')) return sentence(mayNot(viewer, 'operate'), ctx.locale)
  throw redirect(localized(`/orders${url.search}`, ctx.locale))
})

/** Streams every order that matches the filters as CSV. */
export const action = fileAction('orders-csv', {
  page: (ctx, url) => localized(`/orders${url.search}`, ctx.locale),
  send: async (ctx, url) => {
    await audit(ctx, 'sensitive_read', 'orders', { what: 'csv' })
    return fileOf(ctx, url)
  },
})

function fileOf(ctx: Ctx, url: URL): Response {
  const batches = exportOrders(ctx, { ...filtersIn(url.searchParams), afterId: null, buyerId: null })
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>({
    // Without a byte order mark spreadsheets misread Tamil.
    start: (controller) => controller.enqueue(encoder.encode(`\uFEFF${csvLine(csvHead(ctx.locale))}`)),
    pull: async (controller) => {
      const { value, done } = await batches.next()
      if (done) return controller.close()
      controller.enqueue(encoder.encode(value.map((order) => csvLine(orderCells(ctx, order))).join('')))
    },
    cancel: async () => void (await batches.return(undefined)),
  })
  return download(`orders-${indianDay(ctx.now)}.csv`, body)
}
