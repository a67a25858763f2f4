import { can } from '#src/accounts/policy.ts'
import { formatDaysAgo } from '#src/kit/time-money/dates.ts'
import { pageLoader } from '#src/kit/http/page.server.ts'
import { parseId } from '#src/kit/ids.ts'
import { m } from '#src/paraglide/messages.js'
import { desksOf } from '#src/content/site-frame/desks.ts'
import { plainMeta } from '#src/kit/http/page-meta.ts'
import { LoggedOut } from '#src/accounts/sign-in/logged-out.tsx'
import { languageTags, localized } from '#src/kit/text/locale.ts'
import { Icon } from '#src/ui/icon.tsx'
import { useLocale, useLocalPath } from '#src/ui/language.ts'
import { LinkedText } from '#src/ui/linked-text.tsx'
import { Pager } from '#src/ui/pager.tsx'
import { countOwn, listNotifications, messageLanguage } from './me.server.ts'
import type { Route } from './+types/me-page'

/** A logged-in person's places with their counts, and their messages. */
export const loader = pageLoader(async (ctx, { url }) => {
  const { viewer } = ctx
  if (!viewer) return { kind: 'logged-out' as const }
  const before = parseId(url.searchParams.get('before') ?? undefined)
  const { told, next } = await listNotifications(ctx, viewer, before)
  return {
    kind: 'me' as const,
    id: viewer.id,
    name: viewer.name,
    buys: can(viewer, 'buy'),
    sells: can(viewer, 'sell'),
    operates: can(viewer, 'operate'),
    desks: desksOf(viewer, ctx.locale),
    counts: await countOwn(ctx, viewer),
    told: told.map(({ id, text, locale, at }) => ({
      id,
      text,
      locale,
      at: at.toISOString(),
      when: formatDaysAgo(at, ctx.now, ctx.locale),
    })),
    next,
    hasOtherLanguage: (await messageLanguage(ctx, viewer)) !== ctx.locale,
    isFirst: before === null,
  }
})

export const headers = () => ({ 'Cache-Control': 'no-store' })

export const meta = plainMeta<Route.MetaArgs>(() => ({ title: m.me_title(), description: m.me_lead() }))

type OwnPage = Extract<Route.ComponentProps['loaderData'], { kind: 'me' }>

export default function MePage({ loaderData: page }: Route.ComponentProps) {
  return (
    <div className="mx-auto max-w-4xl space-y-6 py-2">
      <header className="space-y-1">
        <h1 className="text-2xl break-words">{page.kind === 'me' && page.name ? m.me_hello({ name: page.name }) : m.me_title()}</h1>
        <p className="text-stone">{m.me_lead()}</p>
      </header>
      {page.kind === 'logged-out' ? (
        <LoggedOut path="/me" />
      ) : (
        <>
          <Places page={page} />
          <NotificationList page={page} />
        </>
      )}
    </div>
  )
}

interface Place {
  path: string
  label: string
  text?: string
}

/** Only places that the reader can use: those with a count first, then settings. */
function placesOf({ id, buys, sells, operates, desks, counts }: OwnPage): Place[] {
  const places: [boolean, Place][] = [
    ...desks.map((desk): [boolean, Place] => [true, desk]),
    // An admin has no own orders, so the link leads to all of them.
    [operates, { path: '/orders', label: m.menu_all_orders() }],
    [operates, { path: '/seller-product', label: m.menu_listed() }],
    [true, { path: '/saved', label: m.me_saved(), text: m.me_saved_count(counts) }],
    [sells && !operates, { path: '/seller-product', label: m.me_listings(), text: m.me_listings_count(counts) }],
    [sells && !operates, { path: '/seller-product/?tab=1', label: m.me_received(), text: m.me_open_count({ count: counts.sold }) }],
    [sells && !operates, { path: '/earnings', label: m.earn_title(), text: m.earn_lead() }],
    [buys, { path: '/orders', label: m.me_orders(), text: m.me_open_count({ count: counts.bought }) }],
    [true, { path: '/my-enquiries', label: m.me_enquiries(), text: m.me_offers_count({ open: counts.enquiries, offers: counts.offers }) }],
    [true, { path: '/forum', label: m.frame_forum(), text: m.me_forum_count(counts) }],
    [true, { path: `/userprofile/${id}`, label: m.me_profile(), text: m.me_profile_text() }],
    [true, { path: '/my-addresses', label: m.me_addresses(), text: m.me_addresses_text() }],
    [true, { path: '/saved#alerts', label: m.me_alerts(), text: m.me_alerts_text() }],
  ]
  return places.filter(([isOffered]) => isOffered).map(([, place]) => place)
}

const tile = 'panel flex h-full min-h-16 items-center justify-between gap-3 px-4 py-3 hover:bg-leaf-soft'

function Places({ page }: { page: OwnPage }) {
  const to = useLocalPath()
  const locale = useLocale()
  const other = locale === 'ta' ? 'en' : 'ta'
  return (
    <nav aria-label={m.me_places()}>
      <ul className="grid gap-2 sm:grid-cols-2 lg:grid-cols-3">
        {placesOf(page).map(({ path, label, text }) => (
          <li key={path}>
            <a href={to(path)} className={tile}>
              <span>
                <b className="block text-leaf">{label}</b>
                {text && <span className="text-sm text-stone">{text}</span>}
              </span>
              <Icon name="next" size={20} className="shrink-0 text-stone" />
            </a>
          </li>
        ))}
        <li>
          <a href={localized(`/me?lang=${other}`, other)} rel="nofollow" className={tile}>
            <span>
              <b className="block text-leaf">{m.me_language()}</b>
              <span lang={other} className="text-sm text-stone">
                {other === 'ta' ? 'தமிழ்' : 'English'}
              </span>
            </span>
            <Icon name="next" size={20} className="shrink-0 text-stone" />
          </a>
        </li>
        <li>
          <a href={to('/logout')} className={tile}>
            <b className="text-brick">{m.me_logout()}</b>
            <Icon name="next" size={20} className="shrink-0 text-stone" />
          </a>
        </li>
      </ul>
    </nav>
  )
}

function NotificationList({ page }: { page: OwnPage }) {
  const to = useLocalPath()
  return (
    <section id="told" aria-labelledby="told-title" className="space-y-3">
      <h2 id="told-title" className="text-xl">
        {m.me_told()}
      </h2>
      <p className="text-sm text-stone">{m.me_told_lead()}</p>
      {page.hasOtherLanguage && (
        <p className="text-sm text-stone">
          {m.me_told_language()}{' '}
          <a href={to(`/userprofile/${page.id}?edit=1`)} className="link inline-block py-1">
            {m.me_told_language_change()}
          </a>
        </p>
      )}
      {page.told.length === 0 ? (
        <p className="panel p-4">{m.me_told_none()}</p>
      ) : (
        <ol className="panel divide-y divide-line">
          {page.told.map(({ id, text, locale, at, when }) => (
            <li key={id} className="px-4 py-3">
              <time dateTime={at} className="text-sm text-stone">
                {when}
              </time>
              <div lang={languageTags[locale]}>
                <LinkedText text={text} />
              </div>
            </li>
          ))}
        </ol>
      )}
      <Pager
        label={m.me_told()}
        first={page.isFirst ? null : to('/me#told')}
        next={page.next === null ? null : to(`/me?before=${page.next}#told`)}
        firstText={m.me_told_newer()}
        nextText={m.me_told_older()}
      />
    </section>
  )
}
