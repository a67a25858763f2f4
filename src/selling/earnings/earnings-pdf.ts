import { redirect } from 'react-router'
import { fileAction } from '#src/accounts/identity/file-action.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { download } from '#src/kit/http/download.server.ts'
import { localized } from '#src/kit/text/locale.ts'
import { askedEarnings, earningsPage, ownFile, type AskedEarnings } from './asked.server.ts'
import { listMonths, readSeller } from './earnings.server.ts'
import { statementPdf } from './earnings-file.server.ts'

/** The viewer's statement of a month, by default of the newest one with sales. */
export const loader = ownFile(fileOf)

/** Another person's statement, for an admin. */
export const action = fileAction('earnings-pdf', {
  page: earningsPage,
  send: async (ctx, url) => fileOf(ctx, await askedEarnings(ctx, url)),
})

async function fileOf(ctx: Ctx, { sellerId, month }: AskedEarnings): Promise<Response> {
  const months = await listMonths(ctx, sellerId)
  const sums = month === null ? months[0] : months.find((each) => each.month === month)
  if (!sums) throw redirect(localized('/earnings', ctx.locale))
  const pdf = await statementPdf(ctx, sums, { id: sellerId, name: (await readSeller(ctx, sellerId)).name })
  return download(`earnings-${sums.month}.pdf`, pdf)
}
