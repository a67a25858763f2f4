import { localized, languageTags, type Locale } from '#src/kit/text/locale.ts'
import { m } from '#src/paraglide/messages.js'
import { SHARE_PATH } from './names.ts'

const icon = (name: string, size: number, purpose: 'any' | 'maskable') => ({
  src: `/${name}-${size}.png`,
  sizes: `${size}x${size}`,
  type: 'image/png',
  purpose,
})

/** How a phone shows the market among its apps. One app in both languages: its id is the same. */
export function manifestFor(locale: Locale) {
  const at = (path: string) => localized(path, locale)
  const shortcut = (name: string, path: string) => ({ name, url: at(path), icons: [icon('icon', 192, 'any')] })
  return {
    id: '/',
    name: m.site_name({}, { locale }),
    short_name: m.device_short_name({}, { locale }),
    description: m.site_tagline({}, { locale }),
    lang: languageTags[locale],
    dir: 'ltr',
    start_url: at('/'),
    scope: '/',
    display: 'standalone',
    background_color: '#fbf6ea',
    theme_color: '#1f5c3a',
    categories: ['shopping', 'business'],
    icons: [
      icon('icon', 192, 'any'),
      icon('icon', 512, 'any'),
      icon('icon-maskable', 192, 'maskable'),
      icon('icon-maskable', 512, 'maskable'),
    ],
    shortcuts: [
      shortcut(m.frame_sell({}, { locale }), '/sell'),
      shortcut(m.frame_buy({}, { locale }), '/buy/0'),
      shortcut(m.frame_orders({}, { locale }), '/orders'),
    ],
    share_target: {
      action: at(SHARE_PATH),
      method: 'POST',
      enctype: 'multipart/form-data',
      params: { title: 'title', text: 'text', url: 'url', files: [{ name: 'photos', accept: ['image/*'] }] },
    },
  }
}
