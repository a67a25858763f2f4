import { m } from '#src/paraglide/messages.js'
import { useLocalPath } from '#src/ui/language.ts'

interface BannerText {
  key: string
  title: string
  text: string
  link: string
  path: string
}

/** B §2 shows three banners. */
const BANNERS = 3
const GROUNDS = ['bg-leaf text-white', 'bg-turmeric text-ink', 'bg-ink text-white'] as const

/** The office's first three banners, filled up with our own. */
export function bannersOf(written: { id: number; title: string; text: string; path: string }[]): BannerText[] {
  const own: BannerText[] = [
    { key: 'trust', title: m.home_banner_trust(), text: m.home_banner_trust_text(), link: m.home_banner_trust_link(), path: '/buy/0' },
    { key: 'sell', title: m.home_banner_sell(), text: m.home_banner_sell_text(), link: m.home_banner_sell_link(), path: '/sell' },
    { key: 'wanted', title: m.home_banner_wanted(), text: m.home_banner_wanted_text(), link: m.home_empty_wanted(), path: '/add-enquiry' },
  ]
  const banners = written.map(({ id, ...banner }) => ({ key: String(id), link: m.showcase_more(), ...banner }))
  return [...banners, ...own].slice(0, BANNERS)
}

/** A banner: text on one of the awning's colours. Server only. */
export function Banner({ banner: { title, text, link, path }, index }: { banner: BannerText; index: number }) {
  const to = useLocalPath()
  return (
    <div className={`flex h-full flex-col justify-center gap-x-6 px-4 py-2 md:gap-y-1 md:px-8 ${GROUNDS[index % GROUNDS.length]}`}>
      <h2 className="text-[1.05rem] leading-snug md:text-2xl">{title}</h2>
      <p className="text-sm md:text-lg">{text}</p>
      <a href={to(path)} className="tap-link self-start font-semibold text-inherit underline underline-offset-4">
        {link}
      </a>
    </div>
  )
}
