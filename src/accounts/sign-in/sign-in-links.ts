const formPaths = /^(\/en)?\/(login|register|reset-password)\/?$/i

/** The link to the login, the registration or the reset that was tapped to be opened here. On such a page itself its links navigate. */
export function leadsToSignIn(event: MouseEvent): HTMLAnchorElement | null {
  const link = (event.target as Element).closest('a')
  if (!link || !formPaths.test(link.pathname) || isSignInPage() || event.ctrlKey || event.metaKey || event.shiftKey) return null
  // The page of the login notes a wish (wish.ts), and leads to the code that this browser waits for.
  return link.search.includes('wanted=') || isCodeAwaited() ? null : link
}

export const isSignInPage = () => formPaths.test(location.pathname)

const AWAITED_UNTIL = 'code-awaited-until'

/** Notes until when a registration of this tab waits for its code: meanwhile every login button leads to it (specification A §4). */
export function noteAwaitedCode(until: number): void {
  try {
    sessionStorage.setItem(AWAITED_UNTIL, String(until))
  } catch {
    // Without storage the login opens; the page of the registration still has the code's form.
  }
}

function isCodeAwaited(): boolean {
  try {
    return Number(sessionStorage.getItem(AWAITED_UNTIL)) > Date.now()
  } catch {
    return false
  }
}
