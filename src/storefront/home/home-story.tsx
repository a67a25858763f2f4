import { BadgeIndianRupee, Languages, ShieldCheck, Wallet } from 'lucide-react'
import { m } from '#src/paraglide/messages.js'
import { useLocalPath } from '#src/ui/language.ts'
import { Link } from '#src/ui/link.tsx'
import { HomePicture } from './home-picture.tsx'

/** About, Why and How, in the page's language. */
export function Story() {
  const to = useLocalPath()
  const reasons = [
    { icon: Wallet, text: m.home_why_pay() },
    { icon: ShieldCheck, text: m.home_why_check() },
    { icon: BadgeIndianRupee, text: m.home_why_fee() },
    { icon: Languages, text: m.home_why_words() },
  ]
  return (
    <>
      <section className="grid grid-cols-1 gap-5 lg:grid-cols-2 lg:items-center lg:gap-12">
        <HomePicture
          name="market"
          sizes="(min-width: 1280px) 590px, (min-width: 1024px) 46vw, calc(100vw - 2rem)"
          className="aspect-video w-full rounded-card border border-line"
        />
        <div className="space-y-3">
          <h2 className="text-2xl lg:text-3xl">{m.home_about()}</h2>
          <p className="lg:text-lg">{m.home_about_text()}</p>
          <Link to={to('/aboutus')} className="tap-link font-semibold">
            {m.home_about_more()}
          </Link>
        </div>
      </section>
      <section>
        <h2 className="mb-4 text-2xl lg:text-3xl">{m.home_why()}</h2>
        <ul className="grid gap-x-10 gap-y-4 md:grid-cols-2">
          {reasons.map(({ icon: Icon, text }) => (
            <li key={text} className="flex gap-4 border-t-2 border-turmeric pt-3">
              <Icon aria-hidden="true" size={28} className="mt-0.5 shrink-0 text-leaf" />
              <p className="lg:text-lg">{text}</p>
            </li>
          ))}
        </ul>
      </section>
      <section>
        <h2 className="mb-4 text-2xl lg:text-3xl">{m.home_how()}</h2>
        <div
          role="group"
          aria-label={m.home_how()}
          tabIndex={0}
          className="-mx-4 flex snap-x scroll-px-4 gap-4 overflow-x-auto px-4 md:mx-0 md:grid md:grid-cols-2 md:p-0"
        >
          <Steps title={m.home_how_buy()} steps={[m.home_how_buy_1(), m.home_how_buy_2(), m.home_how_buy_3(), m.home_how_buy_4()]} />
          <Steps title={m.home_how_sell()} steps={[m.home_how_sell_1(), m.home_how_sell_2(), m.home_how_sell_3(), m.home_how_sell_4()]} />
        </div>
        <Link to={to('/how-it-works')} className="tap-link mt-2 font-semibold">
          {m.home_how_more()}
        </Link>
      </section>
    </>
  )
}

function Steps({ title, steps }: { title: string; steps: string[] }) {
  return (
    <div className="panel w-[88%] shrink-0 snap-start p-4 md:w-auto md:p-6">
      <h3 className="mb-3 text-xl">{title}</h3>
      <ol>
        {steps.map((step, index) => (
          <li key={step} className="group flex gap-4">
            <span aria-hidden="true" className="flex flex-col items-center">
              <span className="grid size-10 shrink-0 place-items-center rounded-full bg-turmeric text-lg font-bold">{index + 1}</span>
              <span className="w-0.5 flex-1 bg-turmeric/60 group-last:hidden" />
            </span>
            <p className="pt-1.5 pb-4 group-last:pb-0">{step}</p>
          </li>
        ))}
      </ol>
    </div>
  )
}
