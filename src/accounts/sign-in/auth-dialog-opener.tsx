import { useEffect, useState, type ReactNode } from 'react'

const formPaths = /^(\/en)?\/(login|register|reset-password)\/?$/i

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
      const link = (event.target as Element).closest('a')
      // On such a page itself, its links navigate; so do those with a wish, which that page notes (wish.ts).
      if (
        !link ||
        !formPaths.test(link.pathname) ||
        link.search.includes('wanted=') ||
        formPaths.test(location.pathname) ||
        event.ctrlKey ||
        event.metaKey ||
        event.shiftKey
      )
        return
      event.preventDefault()
      void open(link)
    }
    // Runs before the links' own handlers, which then ignore the tap.
    addEventListener('click', knock, true)
    // A visitor with an expired session sees the login without a tap (content/frame/session-ended.tsx).
    const ended = document.querySelector<HTMLAnchorElement>('[data-login]')
    if (ended && !formPaths.test(location.pathname)) void open(ended)
    return () => removeEventListener('click', knock, true)
  }, [])
  return dialog
}
