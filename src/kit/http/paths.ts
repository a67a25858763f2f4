/**
 * Whether a URL's path can be decoded at all; `%FF` cannot. The result is compared, not thrown away: the bundler takes
 * decodeURIComponent for a function without effects and would drop a bare call, `try` and all.
 */
export function isDecodable(path: string): boolean {
  try {
    return decodeURIComponent(path) !== ''
  } catch {
    return false
  }
}
