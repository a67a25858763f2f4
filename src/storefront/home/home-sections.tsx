import { Handshake, Megaphone, MessagesSquare, PhoneCall, Sprout, Stethoscope, Tag, Truck, Warehouse } from 'lucide-react'
import { m } from '#src/paraglide/messages.js'
import { useLocalPath } from '#src/ui/language.ts'
import { Link } from '#src/ui/link.tsx'
import { HomePicture } from './home-picture.tsx'

/** The four selling points of A §1. */
export function SellingPoints() {
  const points = [
    { icon: Sprout, title: m.home_point_range(), text: m.home_point_range_text() },
    { icon: Truck, title: m.home_point_door(), text: m.home_point_door_text() },
    { icon: PhoneCall, title: m.home_point_contact(), text: m.home_point_contact_text() },
    { icon: Handshake, title: m.home_point_grow(), text: m.home_point_grow_text() },
  ]
  return (
    <section aria-label={m.home_points()} className="-mx-4 bg-leaf px-4 py-6 text-white md:mx-0 md:rounded-card md:p-8">
      <ul className="grid gap-x-8 gap-y-5 sm:grid-cols-2 lg:grid-cols-4">
        {points.map(({ icon: Icon, title, text }) => (
          <li key={title} className="flex gap-3 lg:flex-col">
            <Icon aria-hidden="true" size={32} className="shrink-0 text-turmeric" />
            <div>
              <h2 className="text-lg">{title}</h2>
              <p>{text}</p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}

export function Services() {
  const to = useLocalPath()
  const services = [
    { icon: Tag, title: m.home_service_buy(), text: m.home_service_buy_text(), path: '/buy/0' },
    { icon: Warehouse, title: m.home_service_sell(), text: m.home_service_sell_text(), path: '/sell' },
    { icon: Stethoscope, title: m.home_service_vet(), text: m.home_service_vet_text(), path: '/services' },
    { icon: Truck, title: m.home_service_door(), text: m.home_service_door_text(), path: '/services' },
    { icon: Megaphone, title: m.home_service_wanted(), text: m.home_service_wanted_text(), path: '/view-requirements' },
    { icon: MessagesSquare, title: m.frame_forum(), text: m.home_service_forum_text(), path: '/forum' },
  ]
  return (
    <section>
      <h2 className="mb-4 text-2xl lg:text-3xl">{m.home_services()}</h2>
      <ul className="grid grid-cols-2 gap-3 max-[20rem]:grid-cols-1 lg:grid-cols-3 lg:gap-4">
        {services.map(({ icon: Icon, title, text, path }) => (
          <li key={title}>
            <Link
              to={to(path)}
              className="flex h-full items-center gap-2 rounded-card border border-line bg-paper p-2 hover:border-leaf hover:bg-leaf-soft sm:gap-4 sm:p-4"
            >
              <span className="grid size-9 shrink-0 place-items-center rounded-full bg-leaf-soft text-leaf sm:size-12">
                <Icon aria-hidden="true" size={24} className="max-sm:size-5" />
              </span>
              <span className="min-w-0">
                <b className="block leading-snug max-sm:text-sm">{title}</b>
                <span className="hidden text-sm text-stone sm:block">{text}</span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

export function Goal() {
  const to = useLocalPath()
  return (
    <section className="-mx-4 overflow-hidden bg-ink text-white md:mx-0 md:rounded-card lg:grid lg:grid-cols-2">
      <HomePicture
        name="goal"
        sizes="(min-width: 1280px) 610px, (min-width: 1024px) 50vw, 100vw"
        className="hidden aspect-video h-full w-full sm:block"
      />
      <div className="flex flex-col justify-center gap-4 px-4 py-6 md:p-8">
        <h2 className="text-lg text-turmeric">{m.home_goal()}</h2>
        <p className="text-2xl leading-snug font-bold text-balance lg:text-3xl">{m.home_goal_text()}</p>
        <div className="flex flex-wrap gap-3">
          <Link to={to('/buy/0')} className="button bg-turmeric text-ink hover:brightness-95">
            {m.home_banner_trust_link()}
          </Link>
          <Link to={to('/sell')} className="button border border-white/60 hover:bg-white/10">
            {m.home_banner_sell_link()}
          </Link>
        </div>
      </div>
    </section>
  )
}
