/**
 * Where the router's scripts ask for a page's data: the page's path and `.data` (`/_.data` for `/`, `/_root.data` before that name was
 * changed), with the names of the wanted routes in the query, and `index` in that of a form's action.
 * To remove: when React Router tells a handler which page a data request is for.
 */
const SUFFIX = '.data'
/** The query parameter with which scripts name the routes whose data they want. */
export const ROUTES_QUERY = '_routes'
const INDEX_QUERY = 'index'

export const isDataPath = (pathname: string): boolean => pathname.endsWith(SUFFIX)

/** The path of the page, also when its data are asked for. */
export function pagePathOf(pathname: string): string {
  if (!isDataPath(pathname)) return pathname
  return pathname.slice(0, -SUFFIX.length).replace(/\/_(root)?$/, '/')
}

/** The query as it stands in the browser's bar. */
export function pageQueryOf(query: URLSearchParams): URLSearchParams {
  const plain = new URLSearchParams(query)
  plain.delete(ROUTES_QUERY)
  plain.delete(INDEX_QUERY)
  return plain
}
