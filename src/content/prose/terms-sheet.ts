import { redirect } from 'react-router'
import { pageLoader } from '#src/kit/http/page.server.ts'
import { localized } from '#src/kit/text/locale.ts'
import { termsPaper } from './terms-paper.server.ts'

/** One sheet of the terms as SVG. */
export const loader = pageLoader(async (ctx, { params }) => {
  const { number = '' } = params
  const sheet = /^[1-9]\d?$/.test(number) ? termsPaper(ctx).pages[Number(number) - 1] : undefined
  // A made-up number redirects to the text, because a picture cannot say that nothing is here.
  if (sheet === undefined) throw redirect(localized('/terms', ctx.locale))
  return new Response(sheet, { headers: { 'Content-Type': 'image/svg+xml; charset=utf-8' } })
})
