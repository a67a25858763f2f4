import type { ComponentType, ReactNode } from 'react'
import type { Locale } from '#src/kit/text/locale.ts'
import { useLocalPath } from '#src/ui/language.ts'
import type { ProseSlug } from './prose.ts'

type Text = (props: { components?: Record<string, ComponentType<never>> }) => ReactNode

/** All long texts. Rendered on the server only, so browsers load none of them as code. */
const texts = import.meta.glob<Text>('/content/*/*.mdx', { eager: true, import: 'default' })

export function textOf(slug: ProseSlug, locale: Locale): Text {
  const text = texts[`/content/${locale}/${slug}.mdx`]
  if (!text) throw new Error(`content/${locale}/${slug}.mdx is missing.`)
  return text
}

/** A long text in our styles. `parts` are the components that it uses beyond plain elements. */
export function ProseText({ slug, locale, parts = {} }: { slug: ProseSlug; locale: Locale; parts?: Record<string, ComponentType> }) {
  // Called, not rendered as a component: it has no state, and the text changes with the page.
  return textOf(slug, locale)({ components: { ...looks, ...parts } })
}

interface Inside {
  children?: ReactNode
}

const looks = {
  h2: ({ children }: Inside) => <h2 className="mt-8 mb-2 text-xl first:mt-0 md:text-2xl">{children}</h2>,
  h3: ({ children }: Inside) => <h3 className="mt-5 mb-1 text-lg">{children}</h3>,
  p: ({ children }: Inside) => <p className="my-3 leading-relaxed">{children}</p>,
  ul: ({ children }: Inside) => <ul className="my-3 list-disc space-y-2 pl-5 marker:text-leaf">{children}</ul>,
  ol: ({ children }: Inside) => <ol className="my-3 list-decimal space-y-2 pl-6 marker:font-bold marker:text-leaf">{children}</ol>,
  li: ({ children }: Inside) => <li className="pl-1 leading-relaxed">{children}</li>,
  blockquote: ({ children }: Inside) => (
    <blockquote className="my-5 rounded-card border-l-4 border-turmeric bg-turmeric-soft px-4 py-1">{children}</blockquote>
  ),
  a: ProseLink,
}

/** Paths without a language lead to the page in the text's language; other addresses are marked as external. */
function ProseLink({ href = '', children }: { href?: string; children?: ReactNode }) {
  const to = useLocalPath()
  const isOurs = href.startsWith('/')
  return (
    <a href={isOurs ? to(href) : href} className="link font-semibold" {...(!isOurs && { rel: 'noopener' })}>
      {children}
    </a>
  )
}
