import { redirect } from 'react-router'
import { requireViewer } from '#src/accounts/page-guards.server.ts'
import { can } from '#src/accounts/policy.ts'
import type { Ctx } from '#src/kit/context.ts'
import { parseId } from '#src/kit/ids.ts'
import { localized } from '#src/kit/text/locale.ts'
import { MONTH, noteReader } from './earnings.server.ts'

/**
 * Whose earnings the address asks for, and of which month: one's own, or for an admin `?seller=` of anybody, which is recorded. `file`: the
 * address is a file's, so that a login leads to the page.
 */
export async function askedEarnings(ctx: Ctx, url: URL, { isFile = false } = {}): Promise<{ sellerId: number; month: string | null }> {
  const page = new URL(localized('/earnings', ctx.locale), url)
  const viewer = requireViewer(ctx, isFile ? page : url)
  const asked = can(viewer, 'operate') ? parseId(url.searchParams.get('seller') ?? undefined) : viewer.id
  if (asked === null) throw redirect(localized('/admin/money', ctx.locale))
  await noteReader(ctx, asked)
  const month = url.searchParams.get('month') ?? ''
  return { sellerId: asked, month: MONTH.test(month) ? month : null }
}
