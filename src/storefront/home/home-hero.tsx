import type { ReactNode } from 'react'
import { SearchBox } from '#src/storefront/list/search-box.tsx'
import { m } from '#src/paraglide/messages.js'
import { WelcomeWizard } from './welcome-wizard.tsx'

/** The top of the home page: the awning, the promise, the search, the species, and a line for new visitors. */
export function HomeHero({ categories, isLoggedIn }: { categories: ReactNode; isLoggedIn: boolean }) {
  return (
    <section className="-mx-4 -mt-4 bg-turmeric-soft md:mx-0 md:mt-0 md:rounded-card md:border md:border-line">
      <div aria-hidden="true" className="h-3 bg-[url('/home/awning.svg')] bg-size-[auto_100%] bg-repeat-x md:h-6 md:rounded-t-card" />
      <div className="grid grid-cols-1 gap-2 px-4 py-2 md:gap-3 md:p-4 lg:grid-cols-[minmax(0,5fr)_minmax(0,6fr)] lg:gap-x-10">
        <div className="lg:self-center">
          <h1 className="text-[0.95rem] leading-snug sm:text-xl md:text-3xl">{m.home_heading()}</h1>
          <p className="hidden md:mt-2 md:block md:text-lg">{m.home_lead()}</p>
          <SearchBox />
        </div>
        <div className="min-w-0 lg:self-center">{categories}</div>
        {!isLoggedIn && (
          <div tabIndex={-1} className="min-w-0 outline-none empty:hidden lg:col-span-2">
            <WelcomeWizard />
          </div>
        )}
      </div>
    </section>
  )
}
