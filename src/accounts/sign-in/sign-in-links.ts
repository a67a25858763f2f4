const formPaths = /^(\/en)?\/(login|register|reset-password)\/?$/i

/** The link to the login, the registration or the reset that was tapped to be opened here. On such a page itself its links navigate. */
export function leadsToSignIn(event: MouseEvent): HTMLAnchorElement | null {
  const link = (event.target as Element).closest('a')
  if (!link || !formPaths.test(link.pathname) || isSignInPage() || event.ctrlKey || event.metaKey || event.shiftKey) return null
  // The page of the login notes a wish (wish.ts).
  return link.search.includes('wanted=') ? null : link
}

export const isSignInPage = () => formPaths.test(location.pathname)
