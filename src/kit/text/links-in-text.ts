/** A part of a text, with its target if it is a link. */
interface TextPart {
  text: string
  href?: string
}

const CANDIDATE = /(?<![\p{L}\p{N}_])https?:\/\/[^\s<>"'`{}|\\^]+/giu
/** Punctuation that ends a sentence and is not part of an address. */
const AT_THE_END = /[.,;:!?…।"'”’»*_~]+$/u
/** Longer addresses stay text, because `withoutEnd` takes quadratic time. */
const MAX_LINK = 2000

/**
 * Splits plain text into text and links. Only a written-out http or https address becomes a link, and never one with a user name before its host:
 * `https://bank.example@evil.example/` does not lead where it seems to.
 */
export function linksInText(text: string): TextPart[] {
  const parts: TextPart[] = []
  let at = 0
  for (const match of text.matchAll(CANDIDATE)) {
    if (match[0].length > MAX_LINK) continue
    const found = withoutEnd(match[0])
    const href = hrefOf(found)
    if (href === null) continue
    if (match.index > at) parts.push({ text: text.slice(at, match.index) })
    parts.push({ text: found, href })
    at = match.index + found.length
  }
  if (at < text.length) parts.push({ text: text.slice(at) })
  return parts
}

export const countLinks = (text: string): number => linksInText(text).filter(({ href }) => href !== undefined).length

/** Removes trailing punctuation of the sentence. A closing bracket belongs to the address only if the address contains its opening bracket. */
function withoutEnd(found: string): string {
  let address = found
  for (;;) {
    const shorter = address.replace(AT_THE_END, '')
    const last = shorter.at(-1)
    const isOpened = (open: string, close: string) => shorter.split(open).length >= shorter.split(close).length
    const isForeign = (last === ')' && !isOpened('(', ')')) || (last === ']' && !isOpened('[', ']'))
    const next = isForeign ? shorter.slice(0, -1) : shorter
    if (next === address) return address
    address = next
  }
}

function hrefOf(address: string): string | null {
  if (!URL.canParse(address)) return null
  const { protocol, username, password, href } = new URL(address)
  const isWeb = protocol === 'http:' || protocol === 'https:'
  return isWeb && username === '' && password === '' ? href : null
}
