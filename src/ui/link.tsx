import type { ComponentProps, ComponentType } from 'react'
import { Link as RouterLink, type LinkProps } from 'react-router'
import { m } from '#src/paraglide/messages.js'
import { Icon } from './icon.tsx'

interface Props extends ComponentProps<'a'>, Pick<LinkProps, 'prefetch' | 'replace' | 'reloadDocument' | 'preventScrollReset'> {
  /** An absolute path in the reader's language (`useLocalPath`). */
  to: string
}

/**
 * A link to another page of ours, client-side where scripts run. The server renders a plain link: the router's link resolves its address against the
 * current route, which cost a page with fifty links as much as reading its animal.
 */
export const Link: ComponentType<Props> = import.meta.env.SSR ? PlainLink : ScriptedLink

/** All routes are known from the start, so route discovery is off. */
function ScriptedLink(link: Props) {
  return <RouterLink discover="none" {...link} />
}

function PlainLink({
  to,
  prefetch: _prefetch,
  replace: _replace,
  reloadDocument: _reloads,
  preventScrollReset: _stays,
  children,
  ...link
}: Props) {
  return (
    <a {...link} href={to}>
      {children}
    </a>
  )
}

/** Opens WhatsApp with this text. The chat shows the picture of an address in it. */
export const ShareLink = ({ text }: { text: string }) => (
  <a href={`https://wa.me/?text=${encodeURIComponent(text)}`} target="_blank" rel="noopener noreferrer" className="button-plain">
    <Icon name="share" size={20} />
    {m.product_share()}
  </a>
)
