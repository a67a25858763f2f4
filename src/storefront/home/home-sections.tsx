import { Megaphone, MessagesSquare, Stethoscope, Tag, Truck, Warehouse } from 'lucide-react'
import { m } from '#src/paraglide/messages.js'
import { useLocalPath } from '#src/ui/language.ts'
import { Link } from '#src/ui/link.tsx'
import { HomePicture } from './home-picture.tsx'

export function Services() {
  const to = useLocalPath()
  const services = [
    { icon: Tag, title: m.home_service_buy(), path: '/buy/0' },
    { icon: Warehouse, title: m.home_service_sell(), path: '/sell' },
    { icon: Truck, title: m.home_service_door(), path: '/services' },
    { icon: Stethoscope, title: m.home_service_vet(), path: '/services' },
    { icon: Megaphone, title: m.home_service_wanted(), path: '/view-requirements' },
    { icon: MessagesSquare, title: m.frame_forum(), path: '/forum' },
  ]
  return (
    <section>
      <h2 className="mb-2 text-lg lg:text-3xl">{m.home_services()}</h2>
      <ul className="flex flex-wrap gap-2 lg:grid lg:grid-cols-6 lg:gap-4">
        {services.map(({ icon: Icon, title, path }) => (
          <li key={title}>
            <Link
              to={to(path)}
              className="flex h-full min-h-11 items-center gap-2 rounded-card border border-line bg-paper px-2 py-1 leading-snug font-semibold hover:border-leaf hover:bg-leaf-soft max-sm:text-sm lg:flex-col lg:p-4 lg:text-center"
            >
              <span className="shrink-0 text-leaf lg:rounded-full lg:bg-leaf-soft lg:p-3">
                <Icon aria-hidden="true" size={20} />
              </span>
              <span className="min-w-0">{title}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The goal banner of B §2. */
export const Goal = () => (
  <section className="-mx-4 overflow-hidden bg-ink text-white md:mx-0 md:rounded-card lg:grid lg:grid-cols-2">
    <HomePicture
      name="goal"
      sizes="(min-width: 1280px) 610px, (min-width: 1024px) 50vw, 100vw"
      className="hidden aspect-video h-full w-full sm:block"
    />
    <div className="flex flex-col justify-center gap-1 px-4 py-3 md:p-8">
      <h2 className="text-lg text-turmeric">{m.home_goal()}</h2>
      <p className="text-lg leading-snug font-bold text-balance lg:text-3xl">{m.home_goal_text()}</p>
    </div>
  </section>
)
