import { redirect } from 'react-router'
import { z } from 'zod'
import { textOf } from '#src/accounts/sign-in/auth-forms.server.ts'
import { requireOwnPassword } from '#src/accounts/sign-in/login.server.ts'
import { requireViewer } from '#src/accounts/page-guards.server.ts'
import { can, mayNot } from '#src/accounts/policy.ts'
import { anyPassword } from '#src/accounts/schemas.ts'
import { audit } from '#src/kit/db/audit.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { csvLine } from '#src/kit/text/csv.ts'
import { localized, type Locale } from '#src/kit/text/locale.ts'
import { pageAction, pageLoader, parseForm } from '#src/kit/http/page.server.ts'
import { indianDay } from '#src/kit/time-money/dates.ts'
import { Problem } from '#src/kit/problem.ts'
import { problemText } from '#src/kit/problem-text.ts'
import { csvHead, orderCells } from './orders-csv.server.ts'
import { filtersIn } from './order-filters.server.ts'
import { exportOrders } from './queries.server.ts'

/** The file is requested by a form, with the admin's password: opening the address directly leads to that form. */
export const loader = pageLoader(async (ctx, { url }) => {
  // Back to the page after a login: a file is no place to be.
  const viewer = requireViewer(ctx, new URL(localized('/orders', ctx.locale), url))
  // No page surrounds a file: the refusal is the sentence alone.
  if (!can(viewer, 'operate')) return sentence(mayNot(viewer, 'operate'), ctx.locale)
  throw redirect(localized(`/orders${url.search}`, ctx.locale))
})

/** Every order that the filters let through as a table for a spreadsheet, streamed as it is read. A refusal is shown at the form. */
export const action = pageAction(
  'orders-csv',
  async (ctx, { form, url }): Promise<never> => {
    const { password } = parseForm(z.object({ password: anyPassword }), { password: textOf(form, 'password') })
    await requireOwnPassword(ctx, password)
    await audit(ctx, 'sensitive_read', 'orders', { what: 'csv' })
    throw fileOf(ctx, url)
  },
  {
    refuse: (ctx, code, { url }) => {
      if (code === 'ROLE_FORBIDDEN') return sentence(new Problem(code), ctx.locale)
      const query = new URLSearchParams(url.search)
      query.set('csv', code)
      return redirect(localized(`/orders?${query}`, ctx.locale))
    },
  },
)

function fileOf(ctx: Ctx, url: URL): Response {
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
}

const sentence = ({ code, status }: Problem, locale: Locale) =>
  new Response(problemText(code, locale), { status, headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' } })
