import { requireCapability } from '#src/accounts/page-guards.server.ts'
import { audit } from '#src/kit/db/audit.server.ts'
import { pageLoader } from '#src/kit/http/page.server.ts'
import { askedMonth } from './asked-month.server.ts'
import { monthFile } from './month-shown.server.ts'

/** The closing sheet of a month as a table for a spreadsheet. */
export const loader = pageLoader(async (ctx, { url }) => {
  requireCapability(ctx, url, 'operate')
  const { month } = askedMonth(ctx, url)
  await audit(ctx, 'sensitive_read', `month:${month}`, { what: 'csv' })
  // Without the mark at the start a spreadsheet takes Tamil for something else.
  return new Response(`\uFEFF${await monthFile(ctx, month)}`, {
    headers: {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="month-${month}.csv"`,
      'Cache-Control': 'no-store',
    },
  })
})
