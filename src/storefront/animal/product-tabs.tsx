import { useRef, type ComponentType, type KeyboardEvent } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { m } from '#src/paraglide/messages.js'
import { deferred } from '#src/ui/deferred.tsx'
import { Row } from './product-info.tsx'
import { VetPanel } from './product-tab-vet.tsx'
import type { ProductPageData } from './product-view.server.ts'
import { tabs, type Tab } from '#src/listings/rules.ts'

/** `csrf` where the page is rendered for a logged-in viewer. */
type Props = { product: ProductPageData & { csrf?: string | undefined } }

// For admins only, so only they load its code.
const VerificationPanel = deferred('verification-panel', async () => (await import('./product-tab-verification.tsx')).VerificationPanel)

const titles: Record<Tab, () => string> = {
  variant: m.product_tab_variant,
  vaccination: m.product_tab_vaccination,
  vet: m.product_tab_vet,
  verification: m.product_tab_verification,
}
const panels: Record<Tab, ComponentType<Props>> = {
  variant: VariantPanel,
  vaccination: VaccinationPanel,
  vet: VetPanel,
  verification: VerificationPanel,
}

/** Each tab is a link (`?tab=vet`), so it can be sent to somebody and works without JavaScript. */
export function ProductTabs({ product }: Props) {
  const [query] = useSearchParams()
  const navigate = useNavigate()
  const list = useRef<HTMLDivElement>(null)
  const wanted = tabs.find((tab) => tab === query.get('tab'))
  const chosen = wanted && product.tabs.includes(wanted) ? wanted : product.tab
  const move = (event: KeyboardEvent, tab: Tab) => {
    const at = product.tabs.indexOf(tab)
    const moves: Record<string, number> = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1, ' ': at }
    const target = moves[event.key]
    if (target === undefined) return
    event.preventDefault()
    const next = product.tabs.at(target % product.tabs.length)!
    void navigate({ search: withTab(query, next) }, { preventScrollReset: true, replace: true })
    list.current?.querySelector<HTMLElement>(`#tab-${next}`)?.focus()
  }
  return (
    <section id="details" className="panel overflow-hidden">
      <h2 className="sr-only">{m.product_tabs()}</h2>
      <div
        ref={list}
        role="tablist"
        aria-label={m.product_tabs()}
        className="flex flex-col border-b border-line bg-husk-dark sm:flex-row sm:flex-wrap"
      >
        {product.tabs.map((tab) => (
          <a
            key={tab}
            id={`tab-${tab}`}
            role="tab"
            aria-selected={tab === chosen}
            aria-controls={`panel-${tab}`}
            tabIndex={tab === chosen ? 0 : -1}
            // The address keeps `#details` for people without scripts; with them the page stays where it is.
            href={`${withTab(query, tab)}#details`}
            onClick={(event) => {
              event.preventDefault()
              void navigate({ search: withTab(query, tab) }, { preventScrollReset: true, replace: true })
            }}
            onKeyDown={(event) => move(event, tab)}
            className="flex min-h-12 items-center border-l-4 border-transparent px-3 py-2 font-semibold text-stone aria-selected:border-leaf aria-selected:bg-paper aria-selected:text-leaf sm:border-b-4 sm:border-l-0 sm:px-4"
          >
            {titles[tab]()}
          </a>
        ))}
      </div>
      {product.tabs.map((tab) => {
        const Panel = panels[tab]
        return (
          <div key={tab} id={`panel-${tab}`} role="tabpanel" aria-labelledby={`tab-${tab}`} hidden={tab !== chosen} tabIndex={0}>
            <Panel product={product} />
          </div>
        )
      })}
    </section>
  )
}

function withTab(query: URLSearchParams, tab: Tab): string {
  const next = new URLSearchParams(query)
  next.set('tab', tab)
  return `?${next}`
}

function VariantPanel({ product }: Props) {
  return (
    <table className="w-full text-left">
      <tbody>
        {product.facts.map(({ name, label, text }) => (
          <Row key={name} label={label}>
            {text}
          </Row>
        ))}
      </tbody>
    </table>
  )
}

const dueTexts = {
  done: () => m.product_schedule_done(),
  due: (day: string) => m.product_schedule_due({ day }),
  overdue: (day: string) => m.product_schedule_overdue({ day }),
}

/** What a keeper writes on the calendar: when each vaccine is due again. */
function Schedule({ product }: Props) {
  return (
    <div className="border-t border-line bg-husk-dark px-4 py-3">
      <h3 className="font-bold">{m.product_schedule()}</h3>
      <ul className="mt-1 space-y-1">
        {product.schedule.map((row) => (
          <li key={row.id}>
            {row.vaccine}:{' '}
            <span className={row.status === 'overdue' ? 'font-semibold text-brick' : 'font-semibold'}>
              {dueTexts[row.status](row.on ?? '')}
            </span>
          </li>
        ))}
      </ul>
      <p className="mt-1 text-sm text-stone">{m.product_schedule_hint()}</p>
    </div>
  )
}

function VaccinationPanel({ product }: Props) {
  if (product.vaccinations.length === 0) return <p className="px-4 py-6">{m.product_no_vaccinations()}</p>
  return (
    <>
      <table className="w-full text-left">
        <thead className="text-sm text-stone max-sm:sr-only">
          <tr>
            {[m.product_vaccine(), m.product_dose(), m.product_given_on()].map((name) => (
              <th key={name} scope="col" className="px-4 py-2">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {product.vaccinations.map((v) => (
            <tr key={v.id} className="border-t border-line">
              <td className="px-4 pt-2.5 max-sm:block max-sm:font-semibold sm:pb-2.5">{v.vaccine}</td>
              <td className="px-4 max-sm:block sm:py-2.5">{v.dose}</td>
              <td className="px-4 pb-2.5 max-sm:block sm:pt-2.5">{v.on}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <Schedule product={product} />
    </>
  )
}
