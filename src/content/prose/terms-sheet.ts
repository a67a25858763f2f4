import { redirect } from 'react-router'
import { pageLoader } from '#src/kit/page.server.ts'
import { localized } from '#src/kit/locale.ts'
import { termsPaper } from './terms-paper.server.ts'

/** One sheet of the terms as a picture. */
export const loader = pageLoader(async (ctx, { params }) => {
  const { number = '' } = params
  const sheet = /^[1-9]\d?$/.test(number) ? termsPaper(ctx).pages[Number(number) - 1] : undefined
  // Of an address that somebody made up the text itself is the answer: here there is no page to say that nothing stands here.
  if (sheet === undefined) throw redirect(localized('/terms', ctx.locale))
  return new Response(sheet, { headers: { 'Content-Type': 'image/svg+xml; charset=utf-8' } })
})
