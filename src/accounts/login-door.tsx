import { useEffect, useState, type ReactNode } from 'react'

const doors = /^(\/en)?\/(login|register|reset-password)\/?$/i

/**
 * Login, registration and reset over the page one is on: a tap on any link that leads there opens the modal instead, whose code
 * comes only then. Without scripts, or when the code does not come, the link leads to the page of the same name.
 */
export function LoginDoor() {
  const [dialog, setDialog] = useState<ReactNode>()
  useEffect(() => {
    const open = ({ href }: HTMLAnchorElement) =>
      import('./identity-dialog.tsx').then(
        ({ IdentityDialog }) => setDialog(<IdentityDialog href={href} onClose={() => setDialog(null)} />),
        () => location.assign(href),
      )
    const knock = (event: MouseEvent) => {
      const link = (event.target as Element).closest('a')
      // Where such a form is the page itself, its links lead on.
      if (!link || !doors.test(link.pathname) || doors.test(location.pathname) || event.ctrlKey || event.metaKey || event.shiftKey) return
      event.preventDefault()
      void open(link)
    }
    // Before the links' own scripts, which then leave the tap alone.
    addEventListener('click', knock, true)
    // Who came with a session that is over is asked by itself (content/session-ended.tsx).
    const ended = document.querySelector<HTMLAnchorElement>('[data-login]')
    if (ended && !doors.test(location.pathname)) void open(ended)
    return () => removeEventListener('click', knock, true)
  }, [])
  return dialog
}
