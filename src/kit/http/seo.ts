import type { MetaDescriptor } from 'react-router'
import { bare, languageTags, localized, type Locale } from '#src/kit/text/locale.ts'

interface PageFacts {
  title: string
  description: string
  /** Keywords; the title is put before them. Pages with a byte budget give them on the server only, like `about`. */
  keywords: string | false
  /** Bare path with the query that makes this page what it is; paging and tracking left out. */
  path: string
  locale: Locale
  origin: string
  siteName: string
  /** What link previews show; the site's own picture unless given. Its size is `SHARE_PICTURE`. */
  image?: { path: string; alt: string } | undefined
  /** Structured data of schema.org. Give it on the server only: engines read the server's HTML, and phones need not load the code. */
  about?: object[]
  /** True for pages without content of their own: they stay out of search engines. */
  noIndex?: boolean
}

/** Chat apps show a link large when its picture has this size, and know it before they have loaded the picture. */
export const SHARE_PICTURE = { width: 1200, height: 630 } as const

/** Everything a page tells search engines and chat apps about itself (B §2). */
export function pageMeta(facts: PageFacts): MetaDescriptor[] {
  const { title, description, locale, origin } = facts
  const url = (l: Locale) => origin + localized(facts.path, l)
  const fullTitle = facts.path === '/' ? `${title} · ${facts.siteName}` : `${title} · Sandhai`
  const image = origin + (facts.image?.path ?? '/share.jpg')
  const imageAlt = facts.image?.alt ?? facts.siteName
  const link = (rel: string, href: string, more: Record<string, string> = {}) => ({ tagName: 'link' as const, rel, href, ...more })
  return [
    { title: fullTitle },
    { name: 'description', content: description },
    ...(import.meta.env.SSR && facts.keywords
      ? [{ name: 'keywords', content: facts.path === '/' ? facts.keywords : `${title}, ${facts.keywords}` }]
      : []),
    ...(facts.noIndex ? [{ name: 'robots', content: 'noindex' }] : []),
    link('canonical', url(locale)),
    link('alternate', url('ta'), { hrefLang: languageTags.ta }),
    link('alternate', url('en'), { hrefLang: languageTags.en }),
    link('alternate', url('ta'), { hrefLang: 'x-default' }),
    { property: 'og:type', content: 'website' },
    { property: 'og:site_name', content: facts.siteName },
    { property: 'og:title', content: title },
    { property: 'og:description', content: description },
    { property: 'og:url', content: url(locale) },
    { property: 'og:locale', content: locale === 'ta' ? 'ta_IN' : 'en_IN' },
    { property: 'og:locale:alternate', content: locale === 'ta' ? 'en_IN' : 'ta_IN' },
    { property: 'og:image', content: image },
    { property: 'og:image:type', content: 'image/jpeg' },
    { property: 'og:image:width', content: String(SHARE_PICTURE.width) },
    { property: 'og:image:height', content: String(SHARE_PICTURE.height) },
    { property: 'og:image:alt', content: imageAlt },
    // The rest of a card is read from the og: lines.
    { name: 'twitter:card', content: 'summary_large_image' },
    ...(facts.about ?? []).map((thing) => ({ 'script:ld+json': { '@context': 'https://schema.org', ...thing } })),
  ]
}

/** Lower case, no slash at the end: the one spelling of a path. */
export function canonicalPath(pathname: string): string {
  const path = bare(pathname).toLowerCase()
  return path.length > 1 ? path.replace(/\/+$/, '') || '/' : path
}

/** The first sentence or so, for descriptions in search results. */
export function shorten(text: string, max: number): string {
  const plain = text.replace(/\s+/g, ' ').trim()
  if (plain.length <= max) return plain
  return `${plain.slice(0, max).replace(/\s+\S*$/, '')}…`
}
