import { redirect } from 'react-router'
import { requireViewer } from '#src/accounts/page-guards.server.ts'
import { can } from '#src/accounts/policy.ts'
import { download } from '#src/kit/http/download.server.ts'
import { pageLoader } from '#src/kit/http/page.server.ts'
import { localized } from '#src/kit/text/locale.ts'
import { posterPdf } from './poster.server.ts'

/** The seller's own poster. `?phone=0` omits the phone number and its strips. */
export const loader = pageLoader(async (ctx, { url }) => {
  const viewer = requireViewer(ctx, url)
  if (!can(viewer, 'sell')) throw redirect(localized('/sell', ctx.locale))
  const pdf = await posterPdf(ctx, viewer.id, { hasPhone: url.searchParams.get('phone') !== '0' })
  return download(`sandhai-poster-${ctx.locale}.pdf`, pdf)
})
