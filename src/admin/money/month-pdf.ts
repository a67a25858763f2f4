import { redirect } from 'react-router'
import { fileAction } from '#src/accounts/identity/file-action.server.ts'
import { audit } from '#src/kit/records/audit.server.ts'
import { download } from '#src/kit/http/download.server.ts'
import { pageLoader } from '#src/kit/http/page.server.ts'
import { askedMonth, monthPage } from './asked-month.server.ts'
import { monthPdf } from './month-view.server.ts'

/** Only a form with the admin's password returns the file, so a GET redirects to that form. */
export const loader = pageLoader(async (ctx, { url }) => {
  throw redirect(monthPage(ctx, url))
})

export const action = fileAction('month-pdf', {
  page: monthPage,
  send: async (ctx, url) => {
    const { month } = askedMonth(ctx, url)
    await audit(ctx, 'sensitive_read', `month:${month}`, { what: 'pdf' })
    return download(`month-${month}.pdf`, await monthPdf(ctx, month))
  },
})
