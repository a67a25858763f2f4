import { redirect } from 'react-router'
import { requireViewer } from '#src/accounts/page-guards.server.ts'
import { can } from '#src/accounts/policy.ts'
import type { Ctx } from '#src/kit/context.ts'
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

/** Files of another person's earnings need an admin's password, so their addresses redirect to the form. */
export function requireOwnFile(ctx: Ctx, url: URL, sellerId: number): void {
  if (sellerId !== ctx.viewer!.id) throw redirect(earningsPage(ctx, url))
}

/** The seller and month in the address: the viewer, or for an admin any `?seller=`, which is audited. */
export async function askedEarnings(ctx: Ctx, url: URL): Promise<{ sellerId: number; month: string | null }> {
  const viewer = requireViewer(ctx, url)
  const asked = can(viewer, 'operate') ? parseId(url.searchParams.get('seller') ?? undefined) : viewer.id
  if (asked === null) throw redirect(localized('/admin/money', ctx.locale))
  await noteReader(ctx, asked)
  const month = url.searchParams.get('month') ?? ''
  return { sellerId: asked, month: MONTH.test(month) ? month : null }
}
