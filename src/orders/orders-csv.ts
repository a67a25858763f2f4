import { requireViewer } from '#src/accounts/page-guards.server.ts'
import { can, mayNot } from '#src/accounts/rules.ts'
import { localized, type Locale } from '#src/kit/locale.ts'
import { pageLoader } from '#src/kit/page.server.ts'
import { indianDay } from '#src/kit/dates.ts'
import type { Problem } from '#src/kit/problem.ts'
import { problemText } from '#src/kit/problem-text.ts'
import { csvLine, csvHead, orderCells } from './orders-csv.server.ts'
import { filtersIn } from './order-filters.server.ts'
import { exportOrders } from './queries.server.ts'

/** Everything that the filters let through as a table for a spreadsheet, sent as it is read. */
export const loader = pageLoader(async (ctx, { url }) => {
  // Back to the page after a login: a file is no place to be.
  const viewer = requireViewer(ctx, new URL(localized('/orders', ctx.locale), url))
  // No page stands around a file: the sentence alone.
  if (!can(viewer, 'operate')) return sentence(mayNot(viewer, 'operate'), ctx.locale)
  const batches = exportOrders(ctx, { ...filtersIn(url.searchParams), afterId: null, buyerId: null })
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>({
    // Without a mark at the start a spreadsheet takes Tamil for something else.
    start: (controller) => controller.enqueue(encoder.encode(`\uFEFF${csvLine(csvHead(ctx.locale))}`)),
    pull: async (controller) => {
      const { value, done } = await batches.next()
      if (done) return controller.close()
      controller.enqueue(encoder.encode(value.map((order) => csvLine(orderCells(ctx, order))).join('')))
    },
    cancel: async () => void (await batches.return(undefined)),
  })
  return new Response(body, {
    headers: {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="orders-${indianDay(ctx.now)}.csv"`,
      'Cache-Control': 'no-store',
    },
  })
})

const sentence = ({ code, status }: Problem, locale: Locale) =>
  new Response(problemText(code, locale), { status, headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' } })
