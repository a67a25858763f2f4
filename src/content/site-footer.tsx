import { m } from '#src/paraglide/messages.js'
import { Icon } from '#src/ui/icon.tsx'
import { useLocalPath } from '#src/ui/language.ts'

/** The foot of every page, drawn by the server alone (root.tsx). */
export function SiteFooter({ isDemo }: { isDemo: boolean }) {
  const to = useLocalPath()
  const columns = [
    {
      title: m.footer_market(),
      links: [
        [m.frame_buy(), '/buy/0'],
        [m.frame_sell(), '/sell'],
        [m.frame_wanted(), '/view-requirements'],
        [m.frame_forum(), '/forum'],
      ],
    },
    {
      title: m.footer_company(),
      links: [
        [m.footer_about(), '/aboutus'],
        [m.footer_how(), '/how-it-works'],
        [m.footer_services(), '/services'],
        [m.footer_careers(), '/careers'],
      ],
    },
    {
      title: m.footer_support(),
      links: [
        [m.footer_support(), '/support'],
        [m.footer_privacy(), '/privacy-policy'],
        [m.footer_terms(), '/terms'],
      ],
    },
  ] as const
  return (
    <>
      <div className="mx-auto grid max-w-7xl gap-8 px-4 py-8 sm:grid-cols-2 lg:grid-cols-4">
        <div>
          <p className="text-lg font-bold">{m.site_name()}</p>
          <p className="text-stone">{m.site_tagline()}</p>
          <p className="mt-3 font-semibold">{m.footer_promise()}</p>
        </div>
        {columns.slice(0, 2).map((column) => (
          <nav key={column.title} aria-label={column.title}>
            <h2 className="mb-1 text-base">{column.title}</h2>
            <ul>
              {column.links.map(([label, path]) => (
                <li key={path}>
                  <a href={to(path)} className="inline-flex min-h-11 min-w-11 items-center hover:underline">
                    {label}
                  </a>
                </li>
              ))}
            </ul>
          </nav>
        ))}
        <div>
          <h2 className="mb-1 text-base">{m.footer_contact()}</h2>
          <address className="space-y-1 not-italic">
            <p className="flex gap-2">
              <Icon name="pin" size={18} className="mt-1 shrink-0" />
              {m.footer_address()}
            </p>
            <p className="flex items-center gap-2">
              <Icon name="phone" size={18} className="shrink-0" />
              +91 90000 00000
            </p>
            <p className="flex items-center gap-2">
              <Icon name="mail" size={18} className="shrink-0" />
              help@sandhai.example
            </p>
          </address>
          <p className="mt-1 text-sm text-stone">{m.footer_contact_sample()}</p>
          <ul className="mt-2 flex flex-wrap gap-x-4">
            {columns[2].links.map(([label, path]) => (
              <li key={path}>
                <a href={to(path)} className="inline-flex min-h-11 min-w-11 items-center text-sm hover:underline">
                  {label}
                </a>
              </li>
            ))}
          </ul>
        </div>
      </div>
      <div className="border-t border-line">
        <p className="mx-auto max-w-7xl px-4 py-4 text-sm text-stone">
          {m.frame_sample_note()} {m.footer_credits()}{' '}
          <a href="/api/docs" className="link inline-flex min-h-11 items-center">
            {m.footer_api()}
          </a>
          {isDemo && (
            <>
              {' · '}
              <a href={to('/dev/outbox')} className="link inline-flex min-h-11 items-center">
                {m.outbox_title()}
              </a>
            </>
          )}
        </p>
      </div>
    </>
  )
}
