import { use } from 'react'
import { useRouteLoaderData } from 'react-router'
import { pageLoader } from '#src/kit/http/page.server.ts'
import { publicMeta } from '#src/kit/http/page-meta.ts'
import { CategoryRow } from '#src/storefront/list/category-row.tsx'
import { categoryShortcuts } from '#src/storefront/list/category-shortcuts.server.ts'
import { siteThings } from '#src/storefront/animal/structured-data.ts'
import type { ListingCard } from '#src/listings/browse/browse.server.ts'
import { listTrendingSections } from '#src/listings/browse/trending.server.ts'
import { loadDocument } from '#src/router-seams/load-document.ts'
import { onServer, readOnServer } from '#src/router-seams/on-server.ts'
import { appOnDemand } from '#src/router-seams/start-app.ts'
import { m } from '#src/paraglide/messages.js'
import { Carousel } from '#src/ui/carousel.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { PageInfo } from '#src/document/page-info.ts'
import { ServerOnly } from '#src/document/server-only.tsx'
import { RecentRow } from '#src/storefront/recent/recent-row.tsx'
import { showNearRow } from '#src/storefront/list/near-place.ts'
import { readFront } from '../showcase/queries.server.ts'
import { withoutRepeats } from './home.ts'
import { HomeHero } from './home-hero.tsx'
import { New, TopInMarket, Trending } from './home-listings.tsx'
import { Goal, Services } from './home-sections.tsx'
import { Story } from './home-story.tsx'
import { NearRow } from './near-row.tsx'
import { showWelcome } from './welcome.ts'
import { Testimonials } from './home-testimonials.tsx'
import { Banner, bannersOf } from './home-banner.tsx'
import { voicesOf } from './home-voice.tsx'
import type { Route } from './+types/home-page'

export const handle = appOnDemand
export { loadDocument as clientLoader }

/** B §9: fetch twelve, show ten. */
const TRENDING_FETCHED = 12
const TRENDING_SHOWN = 10
const TOP_SHOWN = 4
const NEW_FETCHED = 20
const NEW_SHOWN = 5

export const loader = pageLoader(async (ctx, { params }) => {
  const [[viewed, top, newest], { banners, voices }] = await Promise.all([
    listTrendingSections(ctx, [{ top: TRENDING_FETCHED }, { top: TOP_SHOWN, trustedOnly: true }, { top: NEW_FETCHED, newestOnly: true }]),
    readFront(ctx),
  ])
  const trending = withoutRepeats(viewed, top, TRENDING_SHOWN)
  const page = {
    newest: withoutRepeats(newest, [...trending, ...top], NEW_SHOWN),
    trending,
    top,
    banners,
    voices,
    ...categoryShortcuts(ctx.locale),
    isInvited: ctx.viewer === null && params.loginrefcode !== undefined,
  }
  return { page: onServer<HomeData>(page) }
})

interface HomeData extends ReturnType<typeof categoryShortcuts>, Awaited<ReturnType<typeof readFront>> {
  newest: ListingCard[]
  trending: ListingCard[]
  top: ListingCard[]
  isInvited: boolean
}

export const meta = publicMeta<Route.MetaArgs>((_, site) => ({
  title: m.home_title(),
  description: m.home_description(),
  keywords: import.meta.env.SSR && m.home_keywords(),
  path: '/',
  about: import.meta.env.SSR ? siteThings(site) : [],
}))

/** Server only. */
export default function HomePage({ loaderData }: Route.ComponentProps) {
  const { nonce } = use(PageInfo)
  // The frame's viewer, because members share this page (server/pages/member-page.server.ts): its own loader sees none.
  const { viewer = null } = (useRouteLoaderData('root') ?? {}) as { viewer?: object | null }
  return (
    <div className={spaced}>
      <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: showNearRow }} />
      <ServerOnly
        id="home-first"
        className={spaced}
        isPersonal
        part={import.meta.env.SSR && <First page={readOnServer(loaderData.page)} isLoggedIn={viewer !== null} />}
      />
      <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: showWelcome }} />
      <ServerOnly id="home-recent" className="has-[[hidden]]:hidden" part={import.meta.env.SSR && <RecentRow />} />
      <ServerOnly id="home-words" className={spaced} part={import.meta.env.SSR && <HomeWords />} />
      <ServerOnly
        id="home-voices"
        isPersonal
        part={import.meta.env.SSR && <Testimonials voices={voicesOf(readOnServer(loaderData.page).voices)} />}
      />
      <ServerOnly id="home-goal" part={import.meta.env.SSR && <Goal />} />
    </div>
  )
}

function First({ page, isLoggedIn }: { page: HomeData; isLoggedIn: boolean }) {
  const { shortcuts, more, banners, isInvited, newest, trending, top } = page
  const to = useLocalPath()
  return (
    <>
      <HomeHero isLoggedIn={isLoggedIn} categories={<CategoryRow shortcuts={shortcuts} more={more} />} />
      {isInvited && (
        <p className="notice font-semibold">
          {m.home_invited()}{' '}
          <a href={to('/register')} className="tap-link">
            {m.sell_intro_register()}
          </a>
        </p>
      )}
      <NearRow />
      <New cards={newest} />
      <Trending cards={trending} />
      <TopInMarket cards={top} />
      <Carousel
        label={m.home_banners()}
        className="md:min-h-52"
        slides={bannersOf(banners).map((banner, index) => ({ key: banner.key, content: <Banner banner={banner} index={index} /> }))}
      />
    </>
  )
}

const spaced = 'space-y-3 md:space-y-10'

function HomeWords() {
  return (
    <>
      <Story />
      <Services />
    </>
  )
}
