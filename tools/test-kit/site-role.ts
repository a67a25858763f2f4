/** The site's database role, created as the README says: tests run with it like a live site, not as the tables' owner. */
export const SITE_ROLE = 'sandhai_site'

/** The URL of the same database for the site's role. */
export function asSite(url: string): string {
  const address = new URL(url)
  address.username = SITE_ROLE
  return address.href
}
