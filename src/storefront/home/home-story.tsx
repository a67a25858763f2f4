import { Handshake, PhoneCall, Sprout, Truck } from 'lucide-react'
import { m } from '#src/paraglide/messages.js'
import { useLocalPath } from '#src/ui/language.ts'
import { Link } from '#src/ui/link.tsx'
import { HomePicture } from './home-picture.tsx'

/** The three parts of B §2. Why has the selling points of A §1, which no other part of the page repeats. */
export const Story = () => (
  <>
    <Why />
    <About />
    <How />
  </>
)

function Why() {
  const points = [
    { icon: Sprout, title: m.home_point_range(), text: m.home_point_range_text() },
    { icon: Truck, title: m.home_point_door(), text: m.home_point_door_text() },
    { icon: PhoneCall, title: m.home_point_contact(), text: m.home_point_contact_text() },
    { icon: Handshake, title: m.home_point_grow(), text: m.home_point_grow_text() },
  ]
  return (
    <section className="-mx-4 bg-leaf px-4 py-4 text-white md:mx-0 md:rounded-card md:p-8">
      <h2 className="mb-2 text-lg lg:text-3xl">{m.home_why()}</h2>
      <ul className="grid gap-x-8 gap-y-3 sm:grid-cols-2 lg:grid-cols-4">
        {points.map(({ icon: Icon, title, text }) => (
          <li key={title} className="flex gap-2 lg:flex-col">
            <Icon aria-hidden="true" size={24} className="shrink-0 text-turmeric" />
            <div>
              <h3>{title}</h3>
              <p className="max-md:text-sm">{text}</p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}

const About = () => (
  <section className="grid grid-cols-1 gap-5 lg:grid-cols-2 lg:items-center lg:gap-12">
    <HomePicture
      name="market"
      sizes="(min-width: 1280px) 590px, (min-width: 1024px) 46vw, calc(100vw - 2rem)"
      className="hidden aspect-video w-full rounded-card border border-line sm:block"
    />
    <div>
      <Head title={m.home_about()} more={m.home_about_more()} path="/aboutus" />
      <p className="max-md:text-sm lg:text-lg">{m.home_about_text()}</p>
    </div>
  </section>
)

const How = () => (
  <section>
    <Head title={m.home_how()} more={m.home_how_more()} path="/how-it-works" />
    <div role="group" aria-label={m.home_how()} tabIndex={0} className="card-row md:grid md:grid-cols-2 md:overflow-visible">
      <Steps title={m.home_how_buy()} steps={[m.home_how_buy_1(), m.home_how_buy_2(), m.home_how_buy_3(), m.home_how_buy_4()]} />
      <Steps title={m.home_how_sell()} steps={[m.home_how_sell_1(), m.home_how_sell_2(), m.home_how_sell_3(), m.home_how_sell_4()]} />
    </div>
  </section>
)

function Head({ title, more, path }: { title: string; more: string; path: string }) {
  const to = useLocalPath()
  return (
    <div className="mb-1 flex items-center justify-between gap-2 lg:mb-3">
      <h2 className="text-lg lg:text-3xl">{title}</h2>
      <Link to={to(path)} className="tap-link text-right text-sm font-semibold md:text-base">
        {more}
      </Link>
    </div>
  )
}

const Steps = ({ title, steps }: { title: string; steps: string[] }) => (
  <div className="panel w-[88%] shrink-0 snap-start p-3 md:w-auto md:p-6">
    <h3 className="mb-2 text-lg">{title}</h3>
    <ol className="space-y-1 md:space-y-2">
      {steps.map((step, index) => (
        <li key={step} className="flex gap-2">
          <span aria-hidden="true" className="grid size-6 shrink-0 place-items-center rounded-full bg-turmeric font-bold">
            {index + 1}
          </span>
          <p className="self-center max-md:text-sm">{step}</p>
        </li>
      ))}
    </ol>
  </div>
)
