/** The site's own role, made as README says: tests run as a live site does, not as the owner of the tables. */
export const SITE_ROLE = 'sandhai_site'

/** The same database, entered as the site. */
export function asSite(url: string): string {
  const address = new URL(url)
  address.username = SITE_ROLE
  return address.href
}
