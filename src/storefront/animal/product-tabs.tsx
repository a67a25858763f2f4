import type { ComponentType } from 'react'
import { m } from '#src/paraglide/messages.js'
import { deferred } from '#src/document/deferred.tsx'
import type { Tab } from '#src/listings/life/rules.ts'
import { Row } from './product-info.tsx'
import { VetPanel } from './product-tab-vet.tsx'
import type { ProductPageData } from './product-view.server.ts'

type Props = { product: ProductPageData }

// Only admins load this code.
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

/**
 * A row of tabs that scrolls sideways, and the open panel below. Each tab is a link (`?tab=vet`), so people can share it and it works without
 * JavaScript; the page's script switches tabs in place (tabs-script.ts).
 */
export function ProductTabs({ product }: Props) {
  return (
    <section id="details" className="panel overflow-hidden">
      <h2 className="sr-only">{m.product_tabs()}</h2>
      <div
        role="tablist"
        aria-label={m.product_tabs()}
        className="flex snap-x overflow-x-auto overscroll-x-contain border-b border-line bg-husk-dark [scrollbar-width:thin]"
      >
        {product.tabs.map((tab) => (
          <a
            key={tab}
            id={`tab-${tab}`}
            role="tab"
            aria-selected={tab === product.tab}
            aria-controls={`panel-${tab}`}
            tabIndex={tab === product.tab ? 0 : -1}
            // Without scripts, `#details` scrolls to the tabs; with scripts the page does not move.
            href={`${withTab(product, tab)}#details`}
            className="flex min-h-12 shrink-0 snap-start items-center border-b-4 border-transparent px-4 py-2 font-semibold whitespace-nowrap text-stone -outline-offset-4 aria-selected:border-leaf aria-selected:bg-paper aria-selected:text-leaf"
          >
            {titles[tab]()}
          </a>
        ))}
      </div>
      {product.tabs.map((tab) => {
        const Panel = panels[tab]
        return (
          <div key={tab} id={`panel-${tab}`} role="tabpanel" aria-labelledby={`tab-${tab}`} hidden={tab !== product.tab} tabIndex={0}>
            <Panel product={product} />
          </div>
        )
      })}
    </section>
  )
}

/** Keeps the delivery answer, if there is one. */
const withTab = ({ delivery }: ProductPageData, tab: Tab) =>
  `?${new URLSearchParams({ ...(delivery && { pincode: delivery.pincode }), tab })}`

function VariantPanel({ product }: Props) {
  const { stock, notices } = product
  const hasNotices = product.availability === 'available' && !product.isOwn
  return (
    <table className="w-full table-fixed text-left">
      <tbody>
        {product.facts.map(({ name, label, text }) => (
          <Row key={name} label={label}>
            {text}
            {name === 'stock' && hasNotices && notices.areFew && (
              <span className="block text-sm text-stone">{m.product_few({ count: stock })}</span>
            )}
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
