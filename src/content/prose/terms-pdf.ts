import { pageLoader } from '#src/kit/http/page.server.ts'
import { termsPaper } from './terms-paper.server.ts'

export const loader = pageLoader(async (ctx) => {
  const { pdf } = termsPaper(ctx)
  return new Response(new Uint8Array(pdf), {
    headers: { 'Content-Type': 'application/pdf', 'Content-Disposition': `attachment; filename="sandhai-terms-${ctx.locale}.pdf"` },
  })
})
