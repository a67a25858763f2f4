import { m } from '#src/paraglide/messages.js'
import { BarRows, PlotTable } from '#src/ui/plots.tsx'
import type { PageViewsData } from './page-views-page.tsx'

/** Rendered by the server alone. */
export function PageViewsTable({ routes, days, funnels }: PageViewsData) {
  return (
    <div className="mx-auto max-w-4xl space-y-6 py-2">
      <h1 className="text-2xl">{m.page_views_title()}</h1>
      <p className="text-stone">{m.page_views_lead()}</p>
      {routes.length === 0 ? (
        <p className="panel p-4">{m.page_views_none()}</p>
      ) : (
        <>
          <Funnels funnels={funnels} />
          <RoutesTable routes={routes} />
          <Days days={days} />
        </>
      )}
    </div>
  )
}

/** From a list to an order, from the form to a passed listing: each step as a bar. */
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
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4 md:grid-cols-2">
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
                <code>{route}</code>
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

function Days({ days }: Pick<PageViewsData, 'days'>) {
  const most = Math.max(1, ...days.map(({ count }) => count))
  const total = days.reduce((sum, { count }) => sum + count, 0)
  return (
    <section className="panel p-4">
      <h2 className="text-lg">{m.page_views_days({ count: number(total) })}</h2>
      <ul className="mt-3 space-y-1">
        {days.map(({ day, count }) => (
          <li key={day} className="grid grid-cols-[9.5rem_1fr_4rem] items-center gap-3 text-sm">
            <span>{day}</span>
            <svg aria-hidden="true" viewBox="0 0 100 8" preserveAspectRatio="none" className="h-3 w-full">
              <rect width={Math.max(1, (100 * count) / most)} height="8" rx="1" className="fill-leaf" />
            </svg>
            <b className="text-right">{number(count)}</b>
          </li>
        ))}
      </ul>
    </section>
  )
}

const number = (count: number) => count.toLocaleString('en-IN')
