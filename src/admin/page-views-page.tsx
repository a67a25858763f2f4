import { DAYS_SHOWN, readPageViews } from '#src/content/page-views.server.ts'
import { plainMeta } from '#src/kit/http/page-meta.ts'
import { daysBefore, formatDay, indianDay } from '#src/kit/time-money/dates.ts'
import { pageLoader } from '#src/kit/http/page.server.ts'
import { m } from '#src/paraglide/messages.js'
import { ServerOnly } from '#src/document/server-only.tsx'
import { BarRows, Columns, PlotTable } from '#src/ui/plots.tsx'
import { TitledPanel } from '#src/ui/panels.tsx'
import { readFunnels } from './funnels.server.ts'
import { routeName } from './page-views-names.ts'
import type { Route } from './+types/page-views-page'

export const loader = pageLoader(async (ctx) => {
  const { routes, days } = await readPageViews(ctx)
  return {
    routes,
    funnels: await readFunnels(ctx),
    days: lastDays(ctx.now, DAYS_SHOWN).map((day) => ({
      day: formatDay(new Date(day), ctx.locale),
      short: String(Number(day.slice(-2))),
      count: days.find((each) => each.day === day)?.count ?? 0,
    })),
  }
})

/** The last days, oldest first, including days without a visit. */
const lastDays = (now: Date, count: number): string[] => Array.from({ length: count }, (_, n) => indianDay(daysBefore(now, count - 1 - n)))

export const meta = plainMeta<Route.MetaArgs>(() => ({ title: m.page_views_title(), description: m.page_views_lead() }))

type PageViewsData = Route.ComponentProps['loaderData']

export default function PageViewsPage({ loaderData }: Route.ComponentProps) {
  return <ServerOnly id="page-views" isPersonal part={import.meta.env.SSR && <PageViewsTable {...loaderData} />} />
}

/** The plot shows the most visited pages only; the table has all. */
const MOST_SHOWN = 10

/** Rendered on the server only. */
function PageViewsTable(page: PageViewsData) {
  return (
    <div className="space-y-4 py-2">
      <h1 className="text-2xl">{m.page_views_title()}</h1>
      {page.routes.length === 0 ? (
        <p className="panel p-4">{m.page_views_none()}</p>
      ) : (
        <>
          <InWords {...page} />
          <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-2">
            <Days days={page.days} />
            <MostLookedAt routes={page.routes} />
            <Funnels funnels={page.funnels} />
            <WhoReads routes={page.routes} />
          </div>
          <RoutesTable routes={page.routes} />
        </>
      )}
      <p className="text-sm text-stone">{m.page_views_lead()}</p>
    </div>
  )
}

const sum = (numbers: number[]) => numbers.reduce((total, each) => total + each, 0)
const sumsOf = (routes: PageViewsData['routes']) => {
  const [ta, en, phones] = [sum(routes.map((each) => each.ta)), sum(routes.map((each) => each.en)), sum(routes.map((each) => each.phones))]
  return { ta, en, phones, wide: ta + en - phones, all: ta + en }
}
/** In percent. */
const share = (part: number, whole: number) => (whole === 0 ? 0 : Math.round((100 * part) / whole))

function InWords({ routes, days, funnels }: PageViewsData) {
  const { ta, phones, all } = sumsOf(routes)
  const busiest = days.toSorted((a, b) => b.count - a.count)[0]!
  const { lists, animals, contacts, orders, sellForms, listed, passed } = funnels
  const sentences = [
    m.page_views_say_all({ count: number(all), today: number(days.at(-1)!.count) }),
    m.page_views_say_busiest({ day: busiest.day, count: number(busiest.count) }),
    m.page_views_say_who({ tamil: share(ta, all), phones: share(phones, all) }),
    m.page_views_say_most({ page: routeName(routes[0]!.route), count: number(routes[0]!.ta + routes[0]!.en) }),
    lists > 0 &&
      m.page_views_say_buy({
        animals: perHundred(animals, lists),
        contacts: perHundred(contacts, lists),
        orders: perHundred(orders, lists),
      }),
    sellForms > 0 && m.page_views_say_sell({ listed: perHundred(listed, sellForms), passed: perHundred(passed, sellForms) }),
  ]
  return (
    <ul className="panel space-y-1 p-4 text-lg leading-snug">
      {sentences.filter(Boolean).map((sentence) => (
        <li key={String(sentence)}>{sentence}</li>
      ))}
    </ul>
  )
}

/** Figures below ten get a decimal, because few orders come of a hundred lists. */
const perHundred = (part: number, whole: number): string => {
  const value = (100 * part) / whole
  return value > 0 && value < 10 ? value.toFixed(1) : number(Math.round(value))
}

function Days({ days }: Pick<PageViewsData, 'days'>) {
  return (
    <TitledPanel id="views-days" title={m.page_views_days({ count: number(sum(days.map(({ count }) => count))) })}>
      <Columns isDense columns={days.map(({ short, count }) => ({ label: short, value: count, shown: number(count) }))} />
      <PlotTable
        caption={m.page_views_by_day()}
        heads={[m.page_views_day(), m.office_count()]}
        rows={days.map(({ day, count }) => [day, number(count)])}
      />
    </TitledPanel>
  )
}

function MostLookedAt({ routes }: Pick<PageViewsData, 'routes'>) {
  const rows = routes.slice(0, MOST_SHOWN).map(({ route, ta, en }) => ({ name: routeName(route), value: ta + en }))
  return <Bars id="views-most" title={m.page_views_most()} head={m.page_views_route()} rows={rows} />
}

function WhoReads({ routes }: Pick<PageViewsData, 'routes'>) {
  const { ta, en, phones, wide } = sumsOf(routes)
  const rows = [
    { name: m.page_views_ta(), value: ta },
    { name: m.page_views_en(), value: en },
    { name: m.page_views_phones(), value: phones },
    { name: m.page_views_wide(), value: wide },
  ]
  return <Bars id="views-who" title={m.page_views_who()} head={m.page_views_kind()} rows={rows} />
}

function Bars({ id, title, head, rows }: { id: string; title: string; head: string; rows: { name: string; value: number }[] }) {
  return (
    <section aria-labelledby={id} className="panel p-4">
      <h2 id={id} className="text-lg">
        {title}
      </h2>
      <BarRows rows={rows.map(({ name, value }) => ({ name, parts: [{ tone: 'leaf', value }] }))} />
      <PlotTable caption={title} heads={[head, m.office_count()]} rows={rows.map(({ name, value }) => [name, number(value)])} />
    </section>
  )
}

/** Both funnels, each step as a bar: from a list to an order, and from the form to a passed listing. */
function Funnels({ funnels }: Pick<PageViewsData, 'funnels'>) {
  const { lists, animals, contacts, orders, sellForms, listed, passed } = funnels
  const each = [
    {
      id: 'buy',
      title: m.funnel_buy(),
      steps: [
        { name: m.funnel_lists(), value: lists },
        { name: m.funnel_animals(), value: animals },
        { name: m.funnel_contacts(), value: contacts },
        { name: m.funnel_orders(), value: orders },
      ],
    },
    {
      id: 'sell',
      title: m.funnel_sell(),
      steps: [
        { name: m.funnel_sell_forms(), value: sellForms },
        { name: m.funnel_listed(), value: listed },
        { name: m.funnel_passed(), value: passed },
      ],
    },
  ]
  return (
    <div className="space-y-4">
      {each.map(({ id, title, steps }) => (
        <section key={id} aria-labelledby={`funnel-${id}`} className="panel p-4">
          <h2 id={`funnel-${id}`} className="text-lg">
            {title}
          </h2>
          <BarRows rows={steps.map(({ name, value }) => ({ name, parts: [{ tone: 'leaf', value }] }))} />
          <PlotTable
            caption={title}
            heads={[m.funnel_step(), m.office_count()]}
            rows={steps.map(({ name, value }) => [name, number(value)])}
          />
        </section>
      ))}
    </div>
  )
}

function RoutesTable({ routes }: Pick<PageViewsData, 'routes'>) {
  return (
    <section className="panel overflow-x-auto" tabIndex={0} aria-label={m.page_views_routes()}>
      <table className="w-full text-left">
        <caption className="panel-title text-left text-lg font-bold">{m.page_views_routes()}</caption>
        <thead className="text-sm text-stone">
          <tr>
            <th scope="col" className="px-4 py-2">
              {m.page_views_route()}
            </th>
            {[
              m.page_views_today(),
              m.page_views_ta(),
              m.page_views_en(),
              m.page_views_phones(),
              m.page_views_wide(),
              m.page_views_all(),
            ].map((name) => (
              <th key={name} scope="col" className="px-3 py-2 text-right">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {routes.map(({ route, ta, en, phones, today }) => (
            <tr key={route} className="border-t border-line">
              <th scope="row" className="px-4 py-2 font-normal">
                {routeName(route)} {routeName(route) !== route && <code className="block text-sm text-stone">{route}</code>}
              </th>
              <td className="px-3 py-2 text-right">{number(today)}</td>
              <td className="px-3 py-2 text-right">{number(ta)}</td>
              <td className="px-3 py-2 text-right">{number(en)}</td>
              <td className="px-3 py-2 text-right">{number(phones)}</td>
              <td className="px-3 py-2 text-right">{number(ta + en - phones)}</td>
              <td className="px-3 py-2 text-right font-semibold">{number(ta + en)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

const number = (count: number) => count.toLocaleString('en-IN')
