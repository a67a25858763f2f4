import { pageLoader } from '#src/kit/http/page.server.ts'
import { indianDay } from '#src/kit/time-money/dates.ts'
import { askedEarnings } from './asked.server.ts'
import { earningsFile } from './earnings-file.server.ts'

/** The sales of a month, or of all, as a table for a spreadsheet. It holds nothing that the page does not show. */
export const loader = pageLoader(async (ctx, { url }) => {
  const asked = await askedEarnings(ctx, url, { isFile: true })
  // Without the mark at the start a spreadsheet takes Tamil for something else.
  return new Response(`\uFEFF${await earningsFile(ctx, asked)}`, {
    headers: {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="earnings-${asked.month ?? indianDay(ctx.now)}.csv"`,
      'Cache-Control': 'no-store',
    },
  })
})
