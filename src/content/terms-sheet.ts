import { pageLoader } from '#src/kit/page.server.ts'
import { notFound } from '#src/kit/problem.ts'
import { termsPaper } from './terms-paper.server.ts'

/** One sheet of the terms as a picture. */
export const loader = pageLoader(async (ctx, { params }) => {
  const { number = '' } = params
  const sheet = /^[1-9]\d?$/.test(number) ? termsPaper(ctx).pages[Number(number) - 1] : undefined
  if (sheet === undefined) throw notFound()
  return new Response(sheet, { headers: { 'Content-Type': 'image/svg+xml; charset=utf-8' } })
})
