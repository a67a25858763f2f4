import { pageLoader } from '#src/kit/http/page.server.ts'
import { pageMeta } from '#src/kit/http/seo.ts'
import { parseId } from '#src/kit/ids.ts'
import { formatRupees } from '#src/kit/time-money/money.ts'
import { m } from '#src/paraglide/messages.js'
import { ServerOnly } from '#src/ui/server-only.tsx'
import { askedEarnings } from './asked.server.ts'
import { listMonths, listSales, readUnderWay, sellerName } from './earnings.server.ts'
import { salesText, shownBalance, shownMonth, shownSale, sumLines, totalOf } from './earnings-shown.server.ts'
import { EarningsView } from './earnings-view.tsx'
import type { Route } from './+types/earnings-page'

/** What each sale brings its seller, what has been paid of it, and the sums of each month. An admin reads anybody's. */
export const loader = pageLoader(async (ctx, { url }) => {
  const { sellerId, month: asked } = await askedEarnings(ctx, url)
  const months = await listMonths(ctx, sellerId)
  // The newest month with sales; an address may name another.
  const month = asked ?? months[0]?.month ?? null
  const afterId = parseId(url.searchParams.get('after') ?? undefined)
  const { sales, nextAfterId } = await listSales(ctx, { sellerId, month, afterId })
  const sums = months.find((each) => each.month === month)
  const underWay = await readUnderWay(ctx, sellerId)
  const isOwn = sellerId === ctx.viewer!.id
  return {
    sellerId,
    isOwn,
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

export const headers = () => ({ 'Cache-Control': 'no-store' })

export const meta = ({ loaderData }: Route.MetaArgs) =>
  loaderData
    ? pageMeta({
        ...loaderData,
        path: '/earnings',
        title: m.earn_title(),
        description: m.earn_lead(),
        keywords: import.meta.env.SSR && m.home_keywords(),
        siteName: m.site_name(),
        noIndex: true,
      })
    : []

export default function EarningsPage({ loaderData }: Route.ComponentProps) {
  return <ServerOnly id="earnings" isPersonal part={import.meta.env.SSR && <EarningsView {...loaderData} />} />
}

export type EarningsData = Route.ComponentProps['loaderData']
