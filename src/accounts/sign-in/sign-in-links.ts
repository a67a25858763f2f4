const formPaths = /^(\/en)?\/(login|register|reset-password)\/?$/i
const modalPaths = /^(\/en)?\/(login|reset-password)\/?$/i

/** The link to the login or the reset that was tapped to be opened here. On such a page itself its links navigate. */
export function leadsToSignIn(event: MouseEvent): HTMLAnchorElement | null {
  const link = (event.target as Element).closest('a')
  if (!link || !modalPaths.test(link.pathname) || isSignInPage() || event.ctrlKey || event.metaKey || event.shiftKey) return null
  // The page of the login notes a wish (wish.ts).
  return link.search.includes('wanted=') ? null : link
}

export const isSignInPage = () => formPaths.test(location.pathname)
