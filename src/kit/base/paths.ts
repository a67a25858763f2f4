/**
 * Whether a URL path can be decoded; `%FF` cannot. The comparison uses the result on purpose: the bundler treats decodeURIComponent as free of side
 * effects and would drop a bare call together with its `try`.
 */
export function isDecodable(path: string): boolean {
  try {
    return decodeURIComponent(path) !== ''
  } catch {
    return false
  }
}
