import { useEffect, useState, type ReactNode } from 'react'
import { isSignInPage, leadsToSignIn } from './sign-in-links.ts'

/**
 * Login, registration and reset over the current page: a tap on any link to one of them opens the modal instead, whose code loads only
 * then. Without scripts, or when the code does not load, the link leads to the page of the same name.
 */
export function AuthDialogOpener() {
  const [dialog, setDialog] = useState<ReactNode>()
  useEffect(() => {
    const open = ({ href }: HTMLAnchorElement) =>
      import('./identity-dialog.tsx').then(
        ({ IdentityDialog }) => setDialog(<IdentityDialog href={href} onClose={() => setDialog(null)} />),
        () => location.assign(href),
      )
    const knock = (event: MouseEvent) => {
      const link = leadsToSignIn(event)
      if (!link) return
      event.preventDefault()
      void open(link)
    }
    // Runs before the links' own handlers, which then ignore the tap.
    addEventListener('click', knock, true)
    // A visitor with an expired session sees the login without a tap (content/frame/session-ended.tsx).
    const ended = document.querySelector<HTMLAnchorElement>('[data-login]')
    if (ended && !isSignInPage()) void open(ended)
    return () => removeEventListener('click', knock, true)
  }, [])
  return dialog
}
