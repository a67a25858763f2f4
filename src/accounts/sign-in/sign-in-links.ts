const formPaths = /^(\/en)?\/(login|register|reset-password)\/?$/i

/** The tapped link to login, registration or reset, if it should open the modal. Null on those pages themselves, where links navigate. */
export function leadsToSignIn(event: MouseEvent): HTMLAnchorElement | null {
  const link = (event.target as Element).closest('a')
  if (!link || !formPaths.test(link.pathname) || isSignInPage() || event.ctrlKey || event.metaKey || event.shiftKey) return null
  // While a registration waits for its code, the link navigates to the page with the code.
  return isCodeAwaited() ? null : link
}

/** The link comes from "add to cart" (wish.ts). */
export const isWish = (link: HTMLAnchorElement | URL) => link.search.includes('wanted=')

export const isSignInPage = () => formPaths.test(location.pathname)

const AWAITED_UNTIL = 'code-awaited-until'

/** Stores until when a registration of this tab waits for its code; until then every login button leads to it (specification A §4). */
export function noteAwaitedCode(until: number): void {
  try {
    sessionStorage.setItem(AWAITED_UNTIL, String(until))
  } catch {
    // Without storage the login opens; the registration page still has the code's form.
  }
}

function isCodeAwaited(): boolean {
  try {
    return Number(sessionStorage.getItem(AWAITED_UNTIL)) > Date.now()
  } catch {
    return false
  }
}
