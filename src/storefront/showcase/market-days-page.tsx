import { pageLoader } from '#src/kit/http/page.server.ts'
import { pageMeta } from '#src/kit/http/seo.ts'
import { m } from '#src/paraglide/messages.js'
import { ServerOnly } from '#src/document/server-only.tsx'
import { MarketDaysView } from './market-days-view.tsx'
import { listMarketDays } from './queries.server.ts'
import type { Route } from './+types/market-days-page'

/** The office's calendar of weekly markets and festivals. */
export const loader = pageLoader(async (ctx) => ({
  days: await listMarketDays(ctx),
  title: m.market_days_title({}, { locale: ctx.locale }),
  description: m.market_days_lead({}, { locale: ctx.locale }),
  keywords: m.home_keywords({}, { locale: ctx.locale }),
  locale: ctx.locale,
  origin: ctx.publicOrigin,
}))

export const meta = ({ loaderData }: Route.MetaArgs) =>
  loaderData ? pageMeta({ ...loaderData, path: '/market-days', siteName: m.site_name() }) : []

export default function MarketDaysPage({ loaderData }: Route.ComponentProps) {
  return <ServerOnly id="market-days" isPersonal part={import.meta.env.SSR && <MarketDaysView {...loaderData} />} />
}

export type MarketDaysData = Route.ComponentProps['loaderData']
