import { redirect } from 'react-router'
import { requireViewer } from '#src/accounts/page-guards.server.ts'
import { can } from '#src/accounts/policy.ts'
import { download } from '#src/kit/http/download.server.ts'
import { pageLoader } from '#src/kit/http/page.server.ts'
import { localized } from '#src/kit/text/locale.ts'
import { indianDay } from '#src/kit/time-money/dates.ts'
import { ownListingsFile } from './own-listings-file.server.ts'

/** The viewer's listings as CSV. Contains the same data as their pages. */
export const loader = pageLoader(async (ctx, { url }) => {
  const viewer = requireViewer(ctx, url)
  if (!can(viewer, 'sell')) throw redirect(localized('/sell', ctx.locale))
  // Without a byte order mark spreadsheets misread Tamil.
  return download(`listings-${indianDay(ctx.now)}.csv`, `\uFEFF${await ownListingsFile(ctx)}`)
})
