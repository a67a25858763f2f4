import { redirect } from 'react-router'
import { pageLoader } from '#src/kit/http/page.server.ts'
import { localized } from '#src/kit/text/locale.ts'
import { askedEarnings } from './asked.server.ts'
import { listMonths, sellerName } from './earnings.server.ts'
import { statementPdf } from './earnings-file.server.ts'

/** The statement of a month, by default of the newest one with sales. */
export const loader = pageLoader(async (ctx, { url }) => {
  const { sellerId, month } = await askedEarnings(ctx, url, { isFile: true })
  const months = await listMonths(ctx, sellerId)
  const sums = month === null ? months[0] : months.find((each) => each.month === month)
  if (!sums) throw redirect(localized('/earnings', ctx.locale))
  const pdf = await statementPdf(ctx, sums, { id: sellerId, name: await sellerName(ctx, sellerId) })
  return new Response(new Uint8Array(pdf), {
    headers: {
      'Content-Type': 'application/pdf',
      'Content-Disposition': `attachment; filename="earnings-${sums.month}.pdf"`,
      'Cache-Control': 'no-store',
    },
  })
})
