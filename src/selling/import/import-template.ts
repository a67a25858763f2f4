import { pageLoader } from '#src/kit/http/page.server.ts'
import { importTemplate } from './read-import.server.ts'

/** The template for farms, in the viewer's language. */
export const loader = pageLoader(
  async (ctx) =>
    new Response(importTemplate(ctx.locale), {
      headers: {
        'Content-Type': 'text/csv; charset=utf-8',
        'Content-Disposition': 'attachment; filename="animals.csv"',
        'Cache-Control': 'no-store',
      },
    }),
)
