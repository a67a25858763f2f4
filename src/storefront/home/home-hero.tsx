import type { ReactNode } from 'react'
import { SearchBox } from '#src/storefront/list/search-box.tsx'
import { m } from '#src/paraglide/messages.js'
import { Carousel } from '#src/ui/carousel.tsx'
import { Banner, type BannerText } from './home-banner.tsx'
import { WelcomeWizard } from './welcome-wizard.tsx'

/** The top of the home page: the awning, the promise, the search, the species, and three banners. */
export function HomeHero({ categories, banners, isLoggedIn }: { categories: ReactNode; banners: BannerText[]; isLoggedIn: boolean }) {
  return (
    <section className="-mx-4 -mt-4 bg-turmeric-soft md:mx-0 md:mt-0 md:rounded-card md:border md:border-line">
      <div aria-hidden="true" className="h-3 bg-[url('/home/awning.svg')] bg-size-[auto_100%] bg-repeat-x md:h-6 md:rounded-t-card" />
      <div className="grid grid-cols-1 gap-2 px-4 pt-2 pb-2 md:gap-3 md:p-4 lg:grid-cols-[minmax(0,5fr)_minmax(0,6fr)] lg:gap-x-10">
        <div className="lg:self-center">
          <h1 className="text-base leading-snug xs:text-xl md:text-3xl">{m.home_heading()}</h1>
          <p className="hidden md:mt-2 md:block md:text-lg">{m.home_lead()}</p>
          <SearchBox />
        </div>
        <div className="min-w-0 lg:col-span-2 lg:row-start-2">{categories}</div>
        <div className="order-last min-w-0 lg:order-none">
          <Stage banners={banners} isGreeted={!isLoggedIn} />
        </div>
      </div>
    </section>
  )
}

/** The banners; for a new visitor, the welcome replaces them (welcome-script.ts). */
function Stage({ banners, isGreeted }: { banners: BannerText[]; isGreeted: boolean }) {
  return (
    <div tabIndex={-1} className="grid grid-cols-1 outline-none">
      <div className="min-w-0 [grid-area:1/1]">
        <Carousel
          label={m.home_banners()}
          className="h-full min-h-41 overflow-hidden rounded-card md:min-h-48"
          slides={banners.map((banner, index) => ({ key: banner.key, content: <Banner banner={banner} index={index} /> }))}
        />
      </div>
      {isGreeted && <WelcomeWizard />}
    </div>
  )
}
