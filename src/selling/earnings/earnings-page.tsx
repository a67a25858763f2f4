import { formHeaders, formLoader } from '#src/kit/http/page.server.ts'
import { fileRefusal } from '#src/kit/problem-text.ts'
import { plainMeta } from '#src/kit/http/plain-meta.ts'
import { parseId } from '#src/kit/ids.ts'
import { formatRupees } from '#src/kit/time-money/money.ts'
import { m } from '#src/paraglide/messages.js'
import { ServerOnly } from '#src/document/server-only.tsx'
import { askedEarnings } from './asked.server.ts'
import { listMonths, listSales, readUnderWay, sellerName } from './earnings.server.ts'
import { salesText, shownBalance, shownMonth, shownSale, sumLines, totalOf } from './earnings-view.server.ts'
import { EarningsView } from './earnings-view.tsx'
import type { Route } from './+types/earnings-page'

/** Amount due and paid per sale, and the sums of each month. Admins can open any seller's page. */
export const loader = formLoader(async (ctx, { url }) => {
  const { sellerId, month: asked } = await askedEarnings(ctx, url)
  const months = await listMonths(ctx, sellerId)
  // Without a month in the address, show the newest one with sales.
  const month = asked ?? months[0]?.month ?? null
  const afterId = parseId(url.searchParams.get('after') ?? undefined)
  const { sales, nextAfterId } = await listSales(ctx, { sellerId, month, afterId })
  const sums = months.find((each) => each.month === month)
  const underWay = await readUnderWay(ctx, sellerId)
  const isOwn = sellerId === ctx.viewer!.id
  return {
    sellerId,
    isOwn,
    fileRefused: fileRefusal(url.searchParams.get('csv'), ctx.locale, 'PASSWORD_WRONG'),
    sellerName: isOwn ? '' : await sellerName(ctx, sellerId),
    open: shownBalance(totalOf(months).balance),
    underWay: underWay.orders === 0 ? null : { count: underWay.orders, due: formatRupees(underWay.due) },
    months: months.map((each) => shownMonth(ctx, each)),
    month,
    sums: sums ? { count: salesText(sums.sales, ctx), lines: sumLines(ctx, sums) } : null,
    sales: sales.map((sale) => shownSale(ctx, sale)),
    next: nextAfterId,
    isFirst: afterId === null,
    locale: ctx.locale,
    origin: ctx.publicOrigin,
  }
})

export const headers = formHeaders

export const meta = ({ loaderData }: Route.MetaArgs) =>
  loaderData ? plainMeta({ ...loaderData, path: '/earnings', title: m.earn_title(), description: m.earn_lead() }) : []

export default function EarningsPage({ loaderData }: Route.ComponentProps) {
  return <ServerOnly id="earnings" isPersonal part={import.meta.env.SSR && <EarningsView {...loaderData} />} />
}

export type EarningsData = Route.ComponentProps['loaderData']
