import type { ReactNode } from 'react'
import { useLocation } from 'react-router'
import { can } from '#src/accounts/policy.ts'
import { bare, localized } from '#src/kit/text/locale.ts'
import { m } from '#src/paraglide/messages.js'
import { Icon, type IconName } from '#src/ui/icon.tsx'
import { Input } from '#src/ui/input.tsx'
import { ServerOnly } from '#src/document/server-only.tsx'
import { useLocale, useLocalPath } from '#src/ui/language.ts'
import { Link } from '#src/ui/link.tsx'
import { DeskFind } from './desk-shell.tsx'
import type { FrameViewer } from './frame-viewer.ts'
import { HeaderOwn } from './header-own.tsx'

/** Name, search, language and cart at the top; on a phone the five main places at the bottom, within reach of a thumb. */
export function SiteHeader({ viewer, isDesk }: { viewer: FrameViewer | null; isDesk: boolean }) {
  const to = useLocalPath()
  const path = bare(useLocation().pathname)
  // These two pages have a larger search of their own.
  const hasSearch = path === '/' || /^\/buy\//i.test(path)
  return (
    <>
      {/* On a desk it scrolls away: the heads of tables stick there. */}
      <header
        className={`${isDesk ? 'relative' : 'sticky top-0'} z-30 short:static border-b border-leaf-dark bg-leaf text-white dark:border-line dark:bg-leaf-soft`}
      >
        <div className="mx-auto flex max-w-7xl items-center gap-2 px-4 py-1.25 md:gap-4 max-[20rem]:flex-wrap max-[20rem]:px-2">
          <a href={to('/')} className="flex min-h-11 shrink-0 items-center gap-2 text-lg font-bold whitespace-nowrap">
            <img src="/favicon.svg" alt="" width={32} height={32} fetchPriority="low" className="rounded-lg" />
            {/* The menu needs this space on the smallest phones, and at 400 % zoom on a desktop. */}
            <span lang="ta" className="max-[22rem]:sr-only">
              சந்தை
            </span>
            <span className="hidden font-semibold opacity-90 xs:inline md:hidden lg:inline">Sandhai</span>
          </a>
          {isDesk && can(viewer, 'operate') && (
            <ServerOnly id="desk-find" className="hidden flex-1 sm:block" part={import.meta.env.SSR && <DeskFind />} />
          )}
          {!isDesk && <HeaderMenu orders={viewer?.insteadOfOrders ?? null} />}
          <div className="ml-auto flex items-center gap-1 max-[20rem]:contents">
            {!hasSearch && !isDesk && <HeaderSearch />}
            <LanguageSwitch />
            <ServerOnly
              id="header-own"
              className="flex items-center gap-1"
              isPersonal={viewer !== null}
              part={import.meta.env.SSR && <HeaderOwn viewer={viewer} isDesk={isDesk} />}
            />
          </div>
        </div>
      </header>
      <PhoneBar isHidden={isDesk} ownPath={viewer ? '/me' : '/login'} />
    </>
  )
}

/** `orders`: the page that takes the place of one's own orders, for people who do not buy. */
function HeaderMenu({ orders }: { orders: FrameViewer['insteadOfOrders'] }) {
  return (
    <nav aria-label={m.frame_menu()} className="hidden flex-1 md:block">
      <ul className="row gap-x-0.5">
        <HeaderLink path="/buy/0">{m.frame_buy()}</HeaderLink>
        <HeaderLink path="/sell">{m.frame_sell()}</HeaderLink>
        <HeaderLink path="/view-requirements">{m.frame_wanted()}</HeaderLink>
        <HeaderLink path="/forum" needsRoom>
          {m.frame_forum()}
        </HeaderLink>
        <HeaderLink path={orders?.path ?? '/orders'} needsRoom>
          {orders?.label ?? m.frame_orders()}
        </HeaderLink>
      </ul>
    </nav>
  )
}

function HeaderSearch() {
  const to = useLocalPath()
  return (
    <>
      <form method="get" action={to('/buy/0')} role="search" className="hidden w-72 items-center 2xl:flex">
        <Input
          name="q"
          type="search"
          maxLength={100}
          aria-label={m.frame_search_label()}
          placeholder={m.frame_search_hint()}
          className="flex-1 border-transparent"
        />
        <button type="submit" aria-label={m.frame_search_label()} className="icon-button hover:bg-leaf-dark">
          <Icon name="search" size={22} />
        </button>
      </form>
      <a href={to('/buy/0#search')} className="icon-button hover:bg-leaf-dark 2xl:hidden" aria-label={m.frame_search()}>
        <Icon name="search" size={22} />
      </a>
    </>
  )
}

/** The five main places at the bottom of a phone. */
function PhoneBar({ isHidden, ownPath }: { isHidden: boolean; ownPath: string }) {
  const to = useLocalPath()
  return (
    <nav
      aria-label={m.frame_quick()}
      hidden={isHidden}
      className="fixed inset-x-0 bottom-0 z-30 short:static border-t border-line bg-paper md:hidden"
    >
      {/* The last entry has the longest word in Tamil; the raised one stays in the middle. */}
      <ul className="mx-auto grid max-w-md grid-cols-[1fr_1fr_3.75rem_0.75fr_1.25fr] max-[20rem]:flex max-[20rem]:flex-wrap max-[20rem]:items-end max-[20rem]:justify-center max-[20rem]:gap-x-2 max-[20rem]:pt-5">
        <BarLink path="/" icon="home" label={m.frame_home()} />
        <BarLink path="/buy/0" icon="tag" label={m.frame_buy()} />
        <li>
          <a href={to('/sell')} className="quick-link justify-end pb-1 text-leaf">
            <span className="-mt-5 mb-0.5 grid size-12 place-items-center rounded-full bg-turmeric text-ink shadow-card ring-4 ring-paper">
              <Icon name="plus" size={26} />
            </span>
            {m.frame_sell()}
          </a>
        </li>
        <BarLink path="/view-requirements" icon="wanted" label={m.frame_wanted()} />
        <BarLink path={ownPath} icon="person" label={m.frame_me()} />
      </ul>
    </nav>
  )
}

/** `needsRoom`: only the footer has the link where a Tamil menu would not fit on one line. */
function HeaderLink({ path, needsRoom = false, children }: { path: string; needsRoom?: boolean; children: ReactNode }) {
  const to = useLocalPath()
  return (
    <li className={needsRoom ? 'hidden xl:block' : undefined}>
      <Link to={to(path)} aria-current={useIsAt(path)} className="header-link">
        {children}
      </Link>
    </li>
  )
}

function BarLink({ path, icon, label }: { path: string; icon: IconName; label: string }) {
  const to = useLocalPath()
  return (
    <li>
      <Link
        aria-current={useIsAt(path)}
        // Most of the home page's texts are rendered on the server only.
        reloadDocument={path === '/'}
        to={to(path)}
        className="quick-place"
      >
        <Icon name={icon} size={22} />
        {label}
      </Link>
    </li>
  )
}

/** True on the page itself and below it; every category's list belongs to Buy. */
function useIsAt(link: string): 'page' | undefined {
  const here = bare(useLocation().pathname).toLowerCase()
  const path = link === '/buy/0' ? '/buy' : link
  return here === path || (path !== '/' && here.startsWith(`${path}/`)) ? 'page' : undefined
}

/** A plain link to the page in the other language; `lang` in its query makes the server set a cookie (app.server.ts). */
function LanguageSwitch() {
  const locale = useLocale()
  const { pathname, search } = useLocation()
  const other = locale === 'ta' ? 'en' : 'ta'
  const query = new URLSearchParams(search)
  query.set('lang', other)
  return (
    <a
      href={localized(`${bare(pathname)}?${query}`, other)}
      lang={other}
      hrefLang={other === 'ta' ? 'ta-IN' : 'en-IN'}
      rel="nofollow"
      className="icon-button border border-white/40 px-2 font-semibold hover:bg-leaf-dark"
    >
      {other === 'ta' ? 'தமிழ்' : 'English'}
    </a>
  )
}
