import { fileAction } from '#src/accounts/identity/file-action.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { download } from '#src/kit/http/download.server.ts'
import { pageLoader } from '#src/kit/http/page.server.ts'
import { indianDay } from '#src/kit/time-money/dates.ts'
import { askedEarnings, earningsPage, requireOwnFile } from './asked.server.ts'
import { earningsFile } from './earnings-file.server.ts'

type Asked = Awaited<ReturnType<typeof askedEarnings>>

/** The viewer's sales of a month, or all, as CSV. Contains the same data as the page. */
export const loader = pageLoader(async (ctx, { url }) => {
  const asked = await askedEarnings(ctx, url)
  requireOwnFile(ctx, url, asked.sellerId)
  return fileOf(ctx, asked)
})

/** Another person's sales, for an admin. */
export const action = fileAction('earnings-csv', {
  page: earningsPage,
  send: async (ctx, url) => fileOf(ctx, await askedEarnings(ctx, url)),
})

async function fileOf(ctx: Ctx, asked: Asked): Promise<Response> {
  // Without a byte order mark spreadsheets misread Tamil.
  return download(`earnings-${asked.month ?? indianDay(ctx.now)}.csv`, `\uFEFF${await earningsFile(ctx, asked)}`)
}
