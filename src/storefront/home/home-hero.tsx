import type { ReactNode } from 'react'
import { SearchBox } from '#src/storefront/list/search-box.tsx'
import { m } from '#src/paraglide/messages.js'
import { Carousel } from '#src/ui/carousel.tsx'
import { ServerOnly } from '#src/ui/server-only.tsx'
import { Banner } from './home-banner.tsx'
import { Welcome } from './welcome.tsx'

/** The market's stall: an awning, the promise, the search, what is sold here, and three banners. */
export function HomeHero({ categories, isLoggedIn }: { categories: ReactNode; isLoggedIn: boolean }) {
  return (
    <section className="-mx-4 -mt-4 overflow-hidden bg-turmeric-soft md:mx-0 md:mt-0 md:rounded-card md:border md:border-line">
      <div aria-hidden="true" className="h-6 bg-[url('/home/awning.svg')] bg-repeat-x" />
      <div className="grid grid-cols-1 gap-4 px-4 pt-4 pb-3 md:p-6 lg:grid-cols-[minmax(0,5fr)_minmax(0,6fr)] lg:gap-x-10">
        <div className="lg:self-center">
          <h1 className="text-2xl xs:text-3xl leading-tight lg:text-4xl lg:leading-tight xl:text-[2.6rem]">{m.home_heading()}</h1>
          <p className="mt-2 text-lg lg:mt-4 lg:text-xl">{m.home_lead()}</p>
          <SearchBox isLarge />
        </div>
        <div className="min-w-0 lg:col-span-2 lg:row-start-2">{categories}</div>
        <Welcome isLoggedIn={isLoggedIn}>
          <Banners />
        </Welcome>
      </div>
    </section>
  )
}

/** Only the server renders the banners' contents (ui/server-only.tsx); the carousel moves them. */
function Banners() {
  return (
    <Carousel
      label={m.home_banners()}
      slides={bannerNames.map((name, index) => ({
        key: name,
        content: (
          <ServerOnly
            id={`banner-${name}`}
            className={bannerClass}
            part={import.meta.env.SSR && <Banner name={name} isFirst={index === 0} />}
          />
        ),
      }))}
    />
  )
}

const bannerNames = ['trust', 'sell', 'door'] as const
const bannerClass = 'flex h-full flex-col overflow-hidden rounded-card border border-line bg-paper'
