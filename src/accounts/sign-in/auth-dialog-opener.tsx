import { useEffect, useState, type ReactNode } from 'react'
import { useLocation } from 'react-router'
import { isSignInPage, isWish, leadsToSignIn } from './sign-in-links.ts'

/**
 * Opens login, registration and reset in a modal when a link to one of them is tapped, and loads its code only then. Without scripts, or
 * when the code does not load, the link navigates to the page.
 */
export function AuthDialogOpener() {
  const [dialog, setDialog] = useState<ReactNode>()
  const { pathname } = useLocation()
  // The modal belongs to the page it was opened on: a registration continues with its code on a page of its own. The
  // header's menu would lie over the next page. A clean-up, because the start of the scripts must close nothing.
  const leave = () => {
    setDialog(null)
    document.querySelector('header details[open]')?.removeAttribute('open')
  }
  useEffect(() => leave, [pathname])
  useEffect(() => {
    const open = (link: HTMLAnchorElement) => {
      const { href } = link
      return Promise.all([import('./identity-dialog.tsx'), isWish(link) && noteWish(href)]).then(
        ([{ IdentityDialog }]) => setDialog(<IdentityDialog href={href} onClose={() => setDialog(null)} />),
        () => location.assign(href),
      )
    }
    const openModal = (event: MouseEvent) => {
      const link = leadsToSignIn(event)
      if (!link) return
      event.preventDefault()
      void open(link)
    }
    // Capture phase: runs before the links' own handlers, which then ignore the tap.
    addEventListener('click', openModal, true)
    // An expired session opens the login without a tap (content/site-frame/session-ended.tsx).
    const ended = document.querySelector<HTMLAnchorElement>('[data-login]')
    if (ended && !isSignInPage()) void open(ended)
    return () => removeEventListener('click', openModal, true)
  }, [])
  return dialog
}

/** The login page stores the wish in a cookie; after any kind of login the animal is in the cart. */
const noteWish = (href: string) => fetch(href, { redirect: 'manual' })
