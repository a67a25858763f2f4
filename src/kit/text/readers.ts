import { plainDigits, singleLine } from './plain-text.ts'

/** Readers of what people type and paste into a field for one thing. Null for other text. */

/** Specification A §9: with country code; the plus does not count. */
const PHONE = /^\+[1-9]\d{11,14}$/
const INDIAN = /^\+91/
const INDIAN_MOBILE = /^\+91[6-9]\d{9}$/
/** An Indian mobile number behind any number of prefixes: 0, 00, 91, +91, and these doubled. */
const PREFIXED = /^(?:\+?(?:00?|91)){0,4}([6-9]\d{9})$/

const figuresOf = (text: string) => plainDigits(singleLine(text))

/** Digits with up to three signs between them, and no letter beside them. */
const RUN = /(?<![\p{L}\p{N}+])\+?\d(?:[^\p{L}\p{N}]{0,3}\d)*(?![\p{L}\p{N}])/u
/** "Cell-98765 43210". */
const PHONE_WORD = /(?<!\p{L})(?:ph|phone|m|mob|mobile|cell|call|contact|no|tel|whatsapp|wa|செல்|போன்|எண்)-$/iu
/** "[4/11, 6:02 pm] Mani: 98765 43210", copied from a chat. */
const CHAT_HEADER = /^\[[^\]]{5,40}\]/
/** Twelve digits behind these are no phone number, although they begin with 91. */
const OTHER_NUMBER = /tag|டேக்|காது|கம்மல்|aadhaar|ஆதார்|uid/iu

/**
 * The one Indian number in a longer text without other figures: "Mani 98765 43210", a link of WhatsApp. It reads less
 * than `phonesIn`, which would add its words to the browser's code.
 */
function indianWithin(pasted: string): string | undefined {
  const text = pasted.replace(CHAT_HEADER, '')
  const run = RUN.exec(text)
  if (!run) return undefined
  const before = text.slice(0, run.index)
  if (
    (/\p{L}-$|₹-?$/u.test(before) && !PHONE_WORD.test(before)) ||
    OTHER_NUMBER.test(before) ||
    /\d/.test(before + text.slice(run.index + run[0].length))
  )
    return undefined
  return PREFIXED.exec(run[0].replace(/[^\d+]/g, ''))?.[1]
}

/** Converts a typed phone number to E.164. Plain ten digits are an Indian number. */
export function readPhone(typed: string): string | null {
  const text = figuresOf(typed)
  const digits = text.replace(/^tel:/i, '').replace(/[\s()./\u2010-\u2015\u2212-]|(?<=\d{5})x(?=\d{5}$)/giu, '')
  const indian = PREFIXED.exec(digits)?.[1] ?? indianWithin(text)
  const international = indian === undefined ? digits.replace(/^00/, '+') : `+91${indian}`
  if (!PHONE.test(international)) return null
  return INDIAN.test(international) && !INDIAN_MOBILE.test(international) ? null : international
}

/** Numbers that our SMS reach; others are expensive and the target of SMS fraud (safety.md §4.3). */
export const isIndianMobile = (phone: string) => INDIAN_MOBILE.test(phone)

/** The one text of this pattern, without blanks and hyphens; null for none or different ones. */
function onlyMatch(text: string, pattern: RegExp): string | null {
  const [found, ...others] = new Set([...text.matchAll(pattern)].map(([match]) => match.replace(/[\s-]/g, '')))
  return found !== undefined && others.length === 0 ? found : null
}

/** Digits typed with blanks or hyphens, or the one group of six digits in a longer text. */
function sixDigits(text: string): string | null {
  const plain = figuresOf(text)
  const digits = plain.replace(/[\s,\u2010-\u2015-]/g, '')
  // A keyboard may insert a code twice.
  if (/^\d*$/.test(digits)) return digits.replace(/^(\d{6})\1$/, '$1')
  return onlyMatch(plain, /(?<![\p{L}\d]|\d[\s-])(?:\d{6}|\d{3}[\s-]\d{3})(?![\s-]?\d|\p{Script=Latin})/gu)
}

/** Six digits, the first not 0, also behind "PIN" or the name of a town. */
export function parsePincode(text: string): string | null {
  // "TN636001", "Salem636001", "636001TN".
  const apart = plainDigits(text).replace(/(?<=\p{L}{2})(?=\d{6}(?!\d))|(?<=(?<!\d)\d{6})(?=\p{L}{2})/gu, ' ')
  const digits = sixDigits(apart)
  return digits !== null && /^[1-9]\d{5}$/.test(digits) ? digits : null
}

/** Our SMS end with "@sandhai.in #482913". */
const LAST_LINE = /@\S+ #(\d{6})\s*$/

/** The digits of a code, typed with blanks or hyphens, or the code of six digits in a pasted message. */
export const codeDigits = (text: string): string => LAST_LINE.exec(text)?.[1] ?? sixDigits(text) ?? figuresOf(text)

/** A PAN in capitals without blanks, also from a longer text. */
export function plainPan(text: string): string {
  const plain = figuresOf(text).toUpperCase()
  const joined = plain.replace(/(?<=[A-Z\d])[\u2010-\u2015/](?=[A-Z\d])/g, '-').replace(/^PAN(?=[A-Z]{5}\d{4}[A-Z]$)/, '')
  return onlyMatch(joined, /(?<![A-Z\d])[A-Z]{5}[\s-]?\d{4}[\s-]?[A-Z](?![A-Z\d])/g) ?? joined.replace(/[\s-]/g, '')
}

const ACCOUNT_WORD = /a\/?c|acc|கணக்கு/iu

/**
 * A bank account's number without the single blanks or hyphens between its groups and the words before it. Text that
 * may hold another number, for example a branch or a phone, stays as it is, and the field refuses it: money must not
 * reach a stranger.
 */
export function plainAccount(text: string): string {
  const plain = figuresOf(text).trim()
  // A blank or a sign ends the words: "SB001234567890" is one account.
  const found = /^(?:(\D*)[\s:.-])?(\d[\d\s.\u2010-\u2015-]*)$/.exec(plain)
  if (!found) return plain
  const [words = '', figures = ''] = found.slice(1)
  const groups = figures.split(/[\s.\u2010-\u2015-]/)
  const size = groups[0]?.length ?? 0
  const areGroups = groups.every(({ length }, n) => length > 0 && (n < groups.length - 1 ? length === size : length <= size))
  const account = groups.join('')
  const isPhone = words !== '' && !ACCOUNT_WORD.test(words) && /^[6-9]\d{9}$/.test(account)
  if (!areGroups || isPhone) return plain
  return account
}

/** A branch's IFSC in capitals; its fifth sign is a zero, which people read as an O. */
export const plainIfsc = (text: string): string =>
  figuresOf(text)
    .toUpperCase()
    .replace(/^(?:IFSC)? *(?:CODE)? *[:=-]|^IFSC (?:CODE )?(?=[A-Z]{4}[O0])|[.,;]$/g, '')
    .replace(/[\s-]/g, '')
    .replace(/^([A-Z]{4})O/, (_, bank: string) => `${bank}0`)

/** Words that people write before their id: "my GPay id: mani@ybl". */
const UPI_WORDS = /^(?:(?:my|is|no|number|upi|id|vpa|g ?pay|google ?pay|phone ?pe|paytm|bhim|ஐடி|எண்)[\s:.=-]+)+/u

/**
 * A UPI id in lower case, also from a payment link. Only the blanks between digits and around the @ are left out: in
 * "gpay 98765 43210@ybl" and in "mani@ybl Erode", other words are no part of the id, and the field refuses what is left
 * of them.
 */
export function plainUpi(text: string): string {
  const plain = figuresOf(text).trim().toLowerCase()
  const linked = /^upi:\/\/pay\?(?:.*&)?pa=([^&]+)/.exec(plain)?.[1]
  if (linked !== undefined) return linked.replace(/%([2-7][\da-f])/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
  return plain
    .replace(UPI_WORDS, '')
    .replace(/(?<=\d)\s(?=\d)|\s(?=@)|(?<=@)\s/g, '')
    .replace(/[.,;]$/, '')
}
