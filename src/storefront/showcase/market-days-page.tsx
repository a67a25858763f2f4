import { pageLoader } from '#src/kit/http/page.server.ts'
import { publicMeta } from '#src/kit/http/page-meta.ts'
import { m } from '#src/paraglide/messages.js'
import { ServerOnly } from '#src/document/server-only.tsx'
import { languageTags, type Locale } from '#src/kit/text/locale.ts'
import { Icon } from '#src/ui/icon.tsx'
import { useLocale, useLocalPath } from '#src/ui/language.ts'
import { listMarketDays } from './queries.server.ts'
import { weekdayText } from './weekday-text.ts'
import type { Route } from './+types/market-days-page'

/** The office's calendar of weekly markets and festivals. */
export const loader = pageLoader(async (ctx) => ({
  days: await listMarketDays(ctx),
  title: m.market_days_title({}, { locale: ctx.locale }),
  description: m.market_days_lead({}, { locale: ctx.locale }),
  keywords: m.home_keywords({}, { locale: ctx.locale }),
}))

export const meta = publicMeta<Route.MetaArgs>((page) => ({ ...page, path: '/market-days' }))

type MarketDaysData = Route.ComponentProps['loaderData']

export default function MarketDaysPage({ loaderData }: Route.ComponentProps) {
  return <ServerOnly id="market-days" isPersonal part={import.meta.env.SSR && <MarketDaysView {...loaderData} />} />
}

type MarketDay = MarketDaysData['days'][number]

/** The next market days in order. Server only. */
function MarketDaysView({ title, description, days }: Pick<MarketDaysData, 'title' | 'description' | 'days'>) {
  const to = useLocalPath()
  const locale = useLocale()
  const byDay = [...Map.groupBy(days, ({ next }) => next)]
  return (
    <div className="mx-auto max-w-3xl space-y-6">
      <div>
        <h1 className="text-2xl md:text-3xl">{title}</h1>
        <p className="mt-2 text-lg text-stone">{description}</p>
      </div>
      {days.length === 0 && <p className="panel p-4">{m.market_days_none()}</p>}
      {byDay.map(([day, held]) => (
        <section key={day} aria-labelledby={`day-${day}`}>
          <h2 id={`day-${day}`} className="mb-2 row items-baseline gap-x-2 text-lg">
            {dayText(day, locale)}
            {held[0]!.isToday && <span className="chip bg-leaf text-white">{m.market_days_today()}</span>}
          </h2>
          <ul className="panel divide-y divide-line">
            {held.map((each) => (
              <Held key={each.id} held={each} locale={locale} />
            ))}
          </ul>
        </section>
      ))}
      <p className="text-sm text-stone">{m.market_days_note()}</p>
      <p>
        <a href={to('/buy/0')} className="button-primary">
          {m.home_banner_trust_link()}
        </a>
      </p>
    </div>
  )
}

function Held({ held: { title, text, place, weekday, toDay, next }, locale }: { held: MarketDay; locale: Locale }) {
  return (
    <li className="px-4 py-3">
      <h3 className="font-semibold">{title}</h3>
      {place && (
        <p className="flex items-center gap-1 text-sm text-stone">
          <Icon name="pin" size={16} className="shrink-0" />
          {place}
        </p>
      )}
      <p>{text}</p>
      <p className="text-sm text-stone">
        {weekday !== null
          ? m.market_days_weekly({ day: weekdayText(weekday, locale) })
          : toDay && toDay > next && m.market_days_until({ day: dayText(toDay, locale) })}
      </p>
    </li>
  )
}

/** "Thursday, 26 November" of an Indian day. */
const dayText = (day: string, locale: Locale) =>
  new Date(`${day}T00:00Z`).toLocaleDateString(languageTags[locale], { timeZone: 'UTC', weekday: 'long', day: 'numeric', month: 'long' })
