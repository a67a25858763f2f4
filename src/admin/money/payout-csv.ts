import { redirect } from 'react-router'
import { fileAction } from '#src/accounts/identity/file-action.server.ts'
import { payoutNumber } from '#src/invoices/rules.ts'
import type { Ctx } from '#src/kit/context.ts'
import { download } from '#src/kit/http/download.server.ts'
import { pageLoader } from '#src/kit/http/page.server.ts'
import { idIn, parseId } from '#src/kit/ids.ts'
import { audit } from '#src/kit/records/audit.server.ts'
import { csvLine } from '#src/kit/text/csv.ts'
import { localized } from '#src/kit/text/locale.ts'
import { decimalOf } from '#src/kit/time-money/money.ts'
import { lineKey, readPayout } from './payouts.server.ts'

const askedId = (url: URL) => url.searchParams.get('payout') ?? undefined
const payoutPage = (ctx: Ctx, url: URL) => localized(`/admin/money/payouts/${parseId(askedId(url)) ?? ''}`, ctx.locale)

/** Only a form with the admin's password returns the file, so a GET redirects to that form. */
export const loader = pageLoader(async (ctx, { url }) => {
  throw redirect(payoutPage(ctx, url))
})

/**
 * The open lines of a payout by bank transfer or UPI, with the headings that banks name alike. The remark comes back
 * in the bank's answer.
 */
export const action = fileAction('payout-csv', {
  page: payoutPage,
  send: async (ctx, url) => {
    const { id, lines } = await readPayout(ctx, idIn(askedId(url)))
    const isUpi = url.searchParams.get('method') === 'upi'
    await audit(ctx, 'sensitive_read', `payout:${id}`, { what: 'csv' })
    const head = ['Beneficiary Name', ...(isUpi ? ['UPI ID'] : ['Account Number', 'IFSC']), 'Amount', 'Remarks']
    const rows = lines.flatMap(({ payee, amount, ...line }) => {
      if (!payee || (payee.method === 'upi') !== isUpi) return []
      const account = payee.method === 'upi' ? [payee.upi] : [payee.account, payee.ifsc]
      return [[payee.holder, ...account, decimalOf(amount), lineKey(line)]]
    })
    const table = [head, ...rows].map((cells) => csvLine(cells))
    return download(`${payoutNumber(id)}-${isUpi ? 'upi' : 'bank'}.csv`, table.join(''))
  },
})
