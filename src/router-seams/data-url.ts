/**
 * The URL from which the router's scripts fetch a page's data: the page's path plus `.data` (`/_.data` for `/`; earlier `/_root.data`), with the
 * requested routes in the query, and `index` in the query of a form's action.
 * To remove: when React Router tells a handler which page a data request is for.
 */
const SUFFIX = '.data'
/** The query parameter that names the routes whose data the scripts request. */
export const ROUTES_QUERY = '_routes'
const INDEX_QUERY = 'index'

export const isDataPath = (pathname: string): boolean => pathname.endsWith(SUFFIX)

/** The path of the page, for page and data URLs. */
export function pagePathOf(pathname: string): string {
  if (!isDataPath(pathname)) return pathname
  return pathname.slice(0, -SUFFIX.length).replace(/\/_(root)?$/, '/')
}

/** The query as the address bar shows it. */
export function pageQueryOf(query: URLSearchParams): URLSearchParams {
  const plain = new URLSearchParams(query)
  plain.delete(ROUTES_QUERY)
  plain.delete(INDEX_QUERY)
  return plain
}
