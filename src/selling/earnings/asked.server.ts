import { redirect } from 'react-router'
import { requireViewer } from '#src/accounts/page-guards.server.ts'
import { can, requireLoggedIn } from '#src/accounts/policy.ts'
import type { Ctx } from '#src/kit/context.ts'
import { pageLoader } from '#src/kit/http/page.server.ts'
import { parseId } from '#src/kit/ids.ts'
import { localized } from '#src/kit/text/locale.ts'
import { MONTH, noteReader } from './earnings.server.ts'

/** The page with the form that downloads this seller's files of the month. */
export function earningsPage(ctx: Ctx, url: URL): string {
  const query = new URLSearchParams()
  for (const name of ['seller', 'month']) {
    const value = url.searchParams.get(name)
    if (value) query.set(name, value)
  }
  return localized(`/earnings${query.size > 0 ? `?${query}` : ''}`, ctx.locale)
}

export interface AskedEarnings {
  sellerId: number
  month: string | null
}

/** Sends the viewer's own file. Another person's needs an admin's password, so its address redirects to the form. */
export const ownFile = (send: (ctx: Ctx, asked: AskedEarnings) => Promise<Response>) =>
  pageLoader(async (ctx, { url }) => {
    const asked = await askedEarnings(ctx, url)
    if (asked.sellerId !== requireLoggedIn(ctx).id) throw redirect(earningsPage(ctx, url))
    return send(ctx, asked)
  })

/** The seller and month in the address: the viewer, or for an admin any `?seller=`, which is audited. */
export async function askedEarnings(ctx: Ctx, url: URL): Promise<AskedEarnings> {
  const viewer = requireViewer(ctx, url)
  const asked = can(viewer, 'operate') ? parseId(url.searchParams.get('seller') ?? undefined) : viewer.id
  if (asked === null) throw redirect(localized('/admin/money', ctx.locale))
  await noteReader(ctx, asked)
  const month = url.searchParams.get('month') ?? ''
  return { sellerId: asked, month: MONTH.test(month) ? month : null }
}
