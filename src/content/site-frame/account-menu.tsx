import { can } from '#src/accounts/policy.ts'
import type { Locale } from '#src/kit/text/locale.ts'
import { formatRupees, rupees } from '#src/kit/time-money/money.ts'
import { m } from '#src/paraglide/messages.js'
import { Icon } from '#src/ui/icon.tsx'
import { useLocale, useLocalPath } from '#src/ui/language.ts'
import { desksOf } from './desks.ts'
import type { FrameViewer } from './frame-viewer.ts'

/**
 * The header's menu at every width, by the viewer's capabilities; also for anonymous visitors (specification B §2). At a
 * desk it has the market's places, too. Rendered on the server only; opens without JavaScript.
 */
export function AccountMenu({ viewer, isDesk }: { viewer: FrameViewer | null; isDesk: boolean }) {
  const to = useLocalPath()
  const locale = useLocale()
  const forAll: [boolean, string, string][] = [
    [isDesk, '/buy/0', m.frame_buy()],
    [isDesk, '/my-cart', m.frame_cart()],
    [isDesk, '/sell', m.frame_sell()],
    [isDesk, '/view-requirements', m.frame_wanted()],
    [true, '/add-enquiry', m.enquiry_add_title()],
    [true, '/forum', m.frame_forum()],
  ]
  const places: [boolean, string, string][] = viewer
    ? [...own(viewer, locale), ...forAll, [true, '/logout', m.menu_logout()]]
    : [[true, '/login', m.frame_login()], [true, '/orders', m.frame_orders()], ...forAll]
  return (
    // While the menu is open, the summary's pseudo-element covers the page, so that a tap beside the menu closes it.
    <details className="group relative">
      <summary className="flex min-h-11 min-w-11 unmarked items-center justify-center gap-1.5 rounded-control px-2 text-sm font-semibold group-open:before:fixed group-open:before:inset-0 hover:bg-leaf-dark">
        <Icon name={viewer ? 'person' : 'menu'} size={22} />
        <span className="sr-only">{viewer ? m.menu_open() : m.frame_menu()}</span>
        {viewer && <span className="hidden max-w-28 truncate lg:inline xl:max-w-44">{viewer.name}</span>}
      </summary>
      <ul className="absolute top-full right-0 mt-2 max-h-[calc(100dvh-9rem)] w-64 md:max-h-[calc(100dvh-5rem)] overflow-y-auto rounded-card border border-line bg-paper py-2 text-ink shadow-card">
        {viewer && (
          <li className="border-b border-line px-4 pb-2 font-semibold break-words">
            {viewer.name}
            {viewer.bonus !== null && (
              <span className="block text-sm font-normal text-stone">{m.menu_bonus({ amount: formatRupees(rupees(viewer.bonus)) })}</span>
            )}
          </li>
        )}
        {places.map(
          ([isOffered, path, label]) =>
            isOffered && (
              <li key={path}>
                <a href={to(path)} className="menu-link">
                  {label}
                </a>
              </li>
            ),
        )}
      </ul>
    </details>
  )
}

function own(viewer: FrameViewer, locale: Locale): [boolean, string, string][] {
  return [
    [true, '/me', m.me_title()],
    [true, `/userprofile/${viewer.id}`, m.menu_profile()],
    [true, '/my-addresses', m.menu_addresses()],
    [can(viewer, 'operate'), '/orders', m.menu_all_orders()],
    [can(viewer, 'buy'), '/orders', m.frame_orders()],
    [can(viewer, 'sell'), '/seller-product', m.menu_listed()],
    ...desksOf(viewer, locale).map(({ path, label }): [boolean, string, string] => [true, path, label]),
    [true, '/my-enquiries', m.menu_enquiries()],
  ]
}
