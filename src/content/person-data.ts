import { redirect } from 'react-router'
import { localized } from '#src/kit/locale.ts'
import { pageAction, pageLoader } from '#src/kit/page.server.ts'
import { notFound, Problem } from '#src/kit/problem.ts'
import { exportOwnData } from './person-data.server.ts'
import { takeLimits } from '#src/accounts/identity-door.server.ts'

/** "Download my data": a file, by a form of the profile page. */
export const action = pageAction(async (ctx, { params, site, visitor }) => {
  if (!ctx.viewer) throw new Problem('AUTH_REQUIRED')
  if (params.userId !== String(ctx.viewer.id)) throw notFound()
  await takeLimits(ctx, site, visitor, 'writeMinute', 'writeDay')
  throw new Response(JSON.stringify(await exportOwnData(ctx), null, 2), {
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Disposition': `attachment; filename="sandhai-${ctx.viewer.id}.json"`,
      'Cache-Control': 'no-store',
    },
  })
})

export const loader = pageLoader(async (ctx, { params }) => {
  throw redirect(localized(`/userprofile/${encodeURIComponent(params.userId ?? '')}`, ctx.locale))
})
