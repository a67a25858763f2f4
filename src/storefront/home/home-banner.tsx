import { m } from '#src/paraglide/messages.js'
import { useLocalPath } from '#src/ui/language.ts'
import { HomePicture } from './home-picture.tsx'

const sizes = '(min-width: 1280px) 620px, (min-width: 1024px) 50vw, calc(100vw - 2rem)'

const banners = {
  trust: { title: m.home_banner_trust, text: m.home_banner_trust_text, link: m.home_banner_trust_link, path: '/buy/0' },
  sell: { title: m.home_banner_sell, text: m.home_banner_sell_text, link: m.home_banner_sell_link, path: '/sell' },
  door: { title: m.home_banner_door, text: m.home_banner_door_text, link: m.home_banner_door_link, path: '/how-it-works' },
}

/** What one banner shows and says. Rendered by the server alone. */
export function Banner({ name, isFirst }: { name: keyof typeof banners; isFirst: boolean }) {
  const to = useLocalPath()
  const { title, text, link, path } = banners[name]
  return (
    <>
      <HomePicture name={name} sizes={sizes} isFirst={isFirst} className="aspect-video w-full lg:aspect-2/1" />
      <div className="row flex-1 gap-x-4 px-4 py-2">
        <div className="min-w-56 flex-1">
          <h2 className="text-lg lg:text-xl">{title()}</h2>
          <p className="text-stone">{text()}</p>
        </div>
        <a href={to(path)} className="tap-link font-semibold">
          {link()}
        </a>
      </div>
    </>
  )
}
