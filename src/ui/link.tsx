import type { ComponentProps, ComponentType } from 'react'
import { Link as RouterLink, type LinkProps } from 'react-router'

interface Props extends ComponentProps<'a'>, Pick<LinkProps, 'prefetch' | 'replace' | 'reloadDocument'> {
  /** From the root, in the reader's language (`useLocalPath`). */
  to: string
}

/**
 * To another page of ours, by script where there are scripts. The server writes it as the plain link it is: the router's own works out
 * where it leads from where it stands, which cost a page with fifty of them as much as reading its animal.
 */
export const Link: ComponentType<Props> = import.meta.env.SSR ? PlainLink : RouterLink

function PlainLink({ to, prefetch: _prefetch, replace: _replace, reloadDocument: _reloads, children, ...link }: Props) {
  return (
    // The mark is the router's, whose own link would differ from this one in the browser.
    <a {...link} href={to} data-discover="true">
      {children}
    </a>
  )
}
