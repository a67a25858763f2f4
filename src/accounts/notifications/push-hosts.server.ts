/**
 * Push services of the browser makers: Google (Chrome and most others on Android), Mozilla, Apple, Microsoft. The browser supplies the
 * address, so other hosts are refused: an address inside our network would make us send requests there (SSRF).
 */
const HOSTS = [
  /^fcm\.googleapis\.com$/,
  /^(?:[a-z0-9-]+\.)*push\.services\.mozilla\.com$/,
  /^(?:[a-z0-9-]+\.)*push\.apple\.com$/,
  /^(?:[a-z0-9-]+\.)*notify\.windows\.com$/,
]
/** Longer than any known address. */
export const MAX_ENDPOINT = 1000

/** `others`: further origins that the operator allows (PUSH_ORIGINS). */
export function isPushEndpoint(text: string, others: readonly string[]): boolean {
  if (text.length > MAX_ENDPOINT || !URL.canParse(text)) return false
  const { href, origin, protocol, hostname, port, username, password, hash } = new URL(text)
  // Require the normal form: another URL parser could read another host.
  if (href !== text || [username, password, hash].some((part) => part !== '')) return false
  if (others.includes(origin)) return true
  return protocol === 'https:' && port === '' && HOSTS.some((host) => host.test(hostname))
}
