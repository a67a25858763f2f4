import { m } from '#src/paraglide/messages.js'
import { useLocalPath } from '#src/ui/language.ts'

const tabs = {
  '/admin/money': m.money_owed,
  '/admin/money/payouts': m.payouts,
  '/admin/money/cash': m.money_cash,
  '/admin/money/month': m.money_month,
}

/** The pages of the money desk. On a phone the row scrolls sideways. */
export function MoneyTabs({ here }: { here: keyof typeof tabs }) {
  const to = useLocalPath()
  return (
    <nav aria-label={m.money_desk()}>
      <ul className="relative -mx-4 flex gap-2 overflow-x-auto px-4 pb-1 md:mx-0 md:px-0">
        {Object.entries(tabs).map(([path, name]) => (
          <li key={path} className="shrink-0">
            <a
              href={to(path)}
              aria-current={path === here ? 'page' : undefined}
              className="button-plain px-4 text-sm aria-[current=page]:bg-leaf aria-[current=page]:text-white"
            >
              {name()}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
