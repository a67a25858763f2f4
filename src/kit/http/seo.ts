import type { MetaDescriptor } from 'react-router'
import { bare, languageTags, localized, type Locale } from '#src/kit/text/locale.ts'

export interface PageFacts {
  title: string
  description: string
  /** They follow the words of the title. Pages with a byte budget provide them on the server only, like `about`. */
  keywords: string | false
  /** The path without the language, with the query that identifies this page but without paging and tracking parameters. */
  path: string
  locale: Locale
  origin: string
  siteName: string
  /** The picture of link previews; default: the site's picture. Its size is `SHARE_PICTURE`. */
  image?: { path: string; alt: string } | undefined
  /** Structured data of schema.org. Provide it on the server only: search engines read the server's HTML, and phones need not load the code. */
  about?: object[]
  /** True for pages without their own content; they stay out of search engines. */
  noIndex?: boolean
}

/** Chat apps show a large preview for a picture of this size, if the tags give the size before they load the picture. */
export const SHARE_PICTURE = { width: 1200, height: 630 } as const

/** All meta tags for search engines and chat apps (B §2). */
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
      ? [{ name: 'keywords', content: facts.path === '/' ? facts.keywords : withWordsOf(title, facts.keywords) }]
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
    // The other card fields come from the og: tags.
    { name: 'twitter:card', content: 'summary_large_image' },
    ...(facts.about ?? []).map((thing) => ({ 'script:ld+json': { '@context': 'https://schema.org', ...thing } })),
  ]
}

/** The title itself is no keyword; its words are, each once. */
function withWordsOf(title: string, keywords: string): string {
  const words = title.toLowerCase().match(/[\p{L}\p{M}\p{N}]{2,}/gu) ?? []
  return [...new Set(words.filter((word) => !keywords.toLowerCase().includes(word))), keywords].join(', ')
}

/** The canonical path: lower case, no slash at the end. */
export function canonicalPath(pathname: string): string {
  const path = bare(pathname).toLowerCase()
  return path.length > 1 ? path.replace(/\/+$/, '') || '/' : path
}

/** Shortens a text to about its first sentence, for descriptions in search results. */
export function shorten(text: string, max: number): string {
  const plain = text.replace(/\s+/g, ' ').trim()
  if (plain.length <= max) return plain
  return `${plain.slice(0, max).replace(/\s+\S*$/, '')}…`
}
