import { fileAction } from '#src/accounts/identity/file-action.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { download } from '#src/kit/http/download.server.ts'
import { indianDay } from '#src/kit/time-money/dates.ts'
import { askedEarnings, earningsPage, ownFile, type AskedEarnings } from './asked.server.ts'
import { earningsFile } from './earnings-file.server.ts'

/** The viewer's sales of a month, or all, as CSV. Contains the same data as the page. */
export const loader = ownFile(fileOf)

/** Another person's sales, for an admin. */
export const action = fileAction('earnings-csv', {
  page: earningsPage,
  send: async (ctx, url) => fileOf(ctx, await askedEarnings(ctx, url)),
})

async function fileOf(ctx: Ctx, asked: AskedEarnings): Promise<Response> {
  // Without a byte order mark spreadsheets misread Tamil.
  return download(`earnings-${asked.month ?? indianDay(ctx.now)}.csv`, `\uFEFF${await earningsFile(ctx, asked)}`)
}
