import { m } from '#src/paraglide/messages.js'
import { useLocalPath } from '#src/ui/language.ts'

const banners = {
  trust: {
    title: m.home_banner_trust,
    text: m.home_banner_trust_text,
    link: m.home_banner_trust_link,
    path: '/buy/0',
    ground: 'bg-leaf text-white',
  },
  sell: {
    title: m.home_banner_sell,
    text: m.home_banner_sell_text,
    link: m.home_banner_sell_link,
    path: '/sell',
    ground: 'bg-turmeric text-ink',
  },
  door: {
    title: m.home_banner_door,
    text: m.home_banner_door_text,
    link: m.home_banner_door_link,
    path: '/how-it-works',
    ground: 'bg-ink text-white',
  },
}

/** One banner: type on one of the awning's colours. Rendered by the server alone. */
export function Banner({ name }: { name: keyof typeof banners }) {
  const to = useLocalPath()
  const { title, text, link, path, ground } = banners[name]
  return (
    <div className={`flex h-full flex-col justify-center gap-x-6 px-4 py-2 md:gap-y-1 md:px-8 ${ground}`}>
      <h2 className="text-lg leading-snug md:text-2xl">{title()}</h2>
      <p className="text-sm md:text-lg">{text()}</p>
      <a href={to(path)} className="tap-link self-start font-semibold text-inherit underline underline-offset-4">
        {link()}
      </a>
    </div>
  )
}
