/**
 * Where the makers of browsers take push messages: Google (Chrome and most others on Android), Mozilla, Apple, Microsoft. The market sends
 * requests to addresses that browsers give it, so it takes no others: one within our own network would be a way in.
 */
const HOSTS = [
  /^fcm\.googleapis\.com$/,
  /^(?:[a-z0-9-]+\.)*push\.services\.mozilla\.com$/,
  /^(?:[a-z0-9-]+\.)*push\.apple\.com$/,
  /^(?:[a-z0-9-]+\.)*notify\.windows\.com$/,
]
/** Longer than any that is known. */
export const MAX_ENDPOINT = 1000

/** `others`: origins that the operator allows besides (PUSH_ORIGINS). */
export function isPushEndpoint(text: string, others: readonly string[]): boolean {
  if (text.length > MAX_ENDPOINT || !URL.canParse(text)) return false
  const { href, origin, protocol, hostname, port, username, password, hash } = new URL(text)
  // As it is written: nothing that a second reader might read as another host.
  if (href !== text || [username, password, hash].some((part) => part !== '')) return false
  if (others.includes(origin)) return true
  return protocol === 'https:' && port === '' && HOSTS.some((host) => host.test(hostname))
}
