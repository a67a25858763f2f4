import type { ReactNode } from 'react'
import { HeartNote } from '#src/alerts/heart-note.tsx'
import { phoneText } from '#src/accounts/phone-text.ts'
import { OFFLINE_NOTE_ID } from '#src/kit/device/offline-tap.ts'
import type { ContactSetting } from '#src/kit/settings.ts'
import { whatsappLink } from '#src/kit/messages/whatsapp-link.ts'
import { m } from '#src/paraglide/messages.js'
import { Icon, type IconName } from '#src/ui/icon.tsx'
import { useLocale, useLocalPath } from '#src/ui/language.ts'

interface FooterProps {
  isDemo: boolean
  contact: ContactSetting & { isSample: boolean }
}

/** Two notes over any page: about a saved animal, and that the device is offline. */
export const FloatingNotes = ({ isLoggedIn }: { isLoggedIn: boolean }) => (
  <>
    <HeartNote isLoggedIn={isLoggedIn} />
    <p
      id={OFFLINE_NOTE_ID}
      role="status"
      data-says={`${m.error_offline_title()}. ${m.error_offline_text()}`}
      className="fixed inset-x-0 bottom-16 z-40 bg-ink px-4 py-3 text-center font-semibold text-white empty:hidden short:bottom-0 md:bottom-0"
    />
  </>
)

/** The footer of every page, at most one screen on a phone. Rendered on the server only (root.tsx). */
export function SiteFooter({ isDemo, contact }: FooterProps) {
  const columns = footerColumns()
  return (
    <>
      <div className="footer-groups">
        <div>
          <p className="text-lg font-bold max-sm:hidden">{m.site_name()}</p>
          <p className="text-stone max-sm:hidden">{m.site_tagline()}</p>
          <p className="font-semibold sm:mt-2">{m.footer_promise()}</p>
        </div>
        {columns.slice(0, 2).map((column) => (
          <Group key={column.title} title={column.title}>
            <Links links={column.links} />
          </Group>
        ))}
        <Group title={m.footer_contact()}>
          <Contact contact={contact} />
          <Links links={columns[2].links} />
        </Group>
      </div>
      <Credits isDemo={isDemo} />
    </>
  )
}

/** Folded on a phone, so that the footer fits one screen. On a desktop always open, with a plain title that takes no keyboard focus (app.css). */
const Group = ({ title, children }: { title: string; children: ReactNode }) => (
  <details>
    <summary>
      <h2>{title}</h2>
    </summary>
    <h2 data-open-title>{title}</h2>
    {children}
  </details>
)

function Links({ links }: { links: readonly (readonly [string, string])[] }) {
  const to = useLocalPath()
  return (
    <ul>
      {links.map(([label, path]) => (
        <li key={path}>
          <a href={to(path)} className={linkClass}>
            {label}
          </a>
        </li>
      ))}
    </ul>
  )
}

function Credits({ isDemo }: Pick<FooterProps, 'isDemo'>) {
  const to = useLocalPath()
  return (
    <div className="border-t border-line">
      <p className="mx-auto max-w-7xl px-4 py-3 text-sm text-stone">
        {isDemo && m.frame_sample_note()} {m.footer_credits()}
        <span className="flex flex-wrap gap-x-4">
          <a href="/api/docs" className="tap-link">
            {m.footer_api()}
          </a>
          {isDemo && (
            <a href={to('/dev/outbox')} className="tap-link">
              {m.outbox_title()}
            </a>
          )}
        </span>
      </p>
    </div>
  )
}

const footerColumns = () =>
  [
    {
      title: m.footer_market(),
      links: [
        [m.frame_buy(), '/buy/0'],
        [m.frame_sell(), '/sell'],
        [m.frame_wanted(), '/view-requirements'],
        [m.footer_breeds(), '/breeds'],
        [m.market_days_title(), '/market-days'],
        [m.frame_forum(), '/forum'],
        [m.footer_banned(), '/what-may-not-be-sold'],
      ],
    },
    {
      title: m.footer_company(),
      links: [
        [m.footer_about(), '/aboutus'],
        [m.footer_how(), '/how-it-works'],
        [m.footer_services(), '/services'],
        [m.footer_other(), '/other-services'],
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

const linkClass = 'foot-link'

/** The contact data that admins set (admin/settings). */
function Contact({ contact }: Pick<FooterProps, 'contact'>) {
  const locale = useLocale()
  const ways: [IconName, string, string][] = [
    ['phone', `tel:${contact.phone}`, phoneText(contact.phone)],
    ['chat', whatsappLink(contact.whatsapp, ''), m.footer_whatsapp()],
    ['mail', `mailto:${contact.mail}`, contact.mail],
  ]
  const elsewhere = [
    ['Facebook', contact.facebook],
    ['Instagram', contact.instagram],
    ['YouTube', contact.youtube],
  ].filter(([, href]) => href)
  return (
    <>
      <address className="not-italic">
        <p className="mb-1 flex gap-2">
          <Icon name="pin" size={18} className="mt-1 shrink-0" />
          {locale === 'ta' ? contact.addressTa : contact.addressEn}
        </p>
        <span className="flex flex-wrap gap-x-5 sm:block">
          {ways.map(([icon, href, text]) => (
            <a key={icon} href={href} className="flex min-h-11 items-center gap-2 break-all hover:underline">
              <Icon name={icon} size={18} className="shrink-0" />
              {text}
            </a>
          ))}
        </span>
      </address>
      {contact.isSample && <p className="text-sm text-stone">{m.footer_contact_sample()}</p>}
      {elsewhere.length > 0 && (
        <ul aria-label={m.footer_social()} className="flex flex-wrap gap-x-4">
          {elsewhere.map(([name, href]) => (
            <li key={name}>
              <a href={href} rel="noopener" className={linkClass}>
                {name}
              </a>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
