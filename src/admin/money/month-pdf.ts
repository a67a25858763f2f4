import { requireCapability } from '#src/accounts/page-guards.server.ts'
import { audit } from '#src/kit/db/audit.server.ts'
import { pageLoader } from '#src/kit/http/page.server.ts'
import { askedMonth } from './asked-month.server.ts'
import { monthPdf } from './month-shown.server.ts'

/** The closing sheet of a month as a paper. */
export const loader = pageLoader(async (ctx, { url }) => {
  requireCapability(ctx, url, 'operate')
  const { month } = askedMonth(ctx, url)
  await audit(ctx, 'sensitive_read', `month:${month}`, { what: 'pdf' })
  return new Response(new Uint8Array(await monthPdf(ctx, month)), {
    headers: {
      'Content-Type': 'application/pdf',
      'Content-Disposition': `attachment; filename="month-${month}.pdf"`,
      'Cache-Control': 'no-store',
    },
  })
})
