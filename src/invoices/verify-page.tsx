import { data } from 'react-router'
import { formatDay, indianDay } from '#src/kit/time-money/dates.ts'
import { formatRupees } from '#src/kit/time-money/money.ts'
import { pageLoader, secretUrlHeaders } from '#src/kit/http/page.server.ts'
import { plainMeta } from '#src/kit/http/page-meta.ts'
import { m } from '#src/paraglide/messages.js'
import { useLocalPath } from '#src/ui/language.ts'
import { moneyIn } from './rules.ts'
import { findConfirmation } from './verify.server.ts'
import type { Route } from './+types/verify-page'

/** Target of a document's QR code: the holder compares three figures. Shows nothing else of the sale. */
export const loader = pageLoader(async (ctx, { params: { code = '' } }) => {
  const found = await findConfirmation(ctx, code)
  const page = {
    code: code.toLowerCase(),
    document: found && {
      number: found.number,
      day: formatDay(new Date(indianDay(found.issuedAt)), ctx.locale),
      total: formatRupees(moneyIn(found.total)),
    },
  }
  return data(page, { status: found ? 200 : 404, headers: { 'Cache-Control': 'no-store' } })
})

export const headers = secretUrlHeaders

export const meta = plainMeta<Route.MetaArgs>((page) => ({
  path: `/verify/${page.code}`,
  title: m.verify_title(),
  description: m.verify_intro(),
}))

export default function VerifyPage({ loaderData: { document } }: Route.ComponentProps) {
  const to = useLocalPath()
  if (!document)
    return (
      <div className="mx-auto max-w-md space-y-4 py-4">
        <h1 className="text-2xl">{m.verify_title()}</h1>
        <div className="panel space-y-3 border-brick p-4">
          <p className="text-lg font-semibold text-brick">{m.verify_unknown()}</p>
          <p>{m.verify_unknown_text()}</p>
          <a href={to('/support')} className="button-plain w-full">
            {m.footer_support()}
          </a>
        </div>
      </div>
    )
  const facts = [
    [m.invoice_number(), document.number],
    [m.invoice_date(), document.day],
    [m.verify_total(), document.total],
  ] as const
  return (
    <div className="mx-auto max-w-md space-y-4 py-4">
      <h1 className="text-2xl">{m.verify_title()}</h1>
      <div className="panel space-y-4 p-4">
        <p className="done text-lg text-leaf">{m.verify_genuine()}</p>
        <dl className="divide-y divide-line">
          {facts.map(([label, value]) => (
            <div key={label} className="flex flex-wrap items-baseline justify-between gap-x-4 py-2">
              <dt className="text-stone">{label}</dt>
              <dd className="text-lg font-bold whitespace-nowrap">{value}</dd>
            </div>
          ))}
        </dl>
        <p>{m.verify_compare()}</p>
      </div>
    </div>
  )
}
