/**
 * One spelling for what Tamil ears hear as one word. Tamil writes one letter for k/g, t/d, p/b and c/s/j; people type the
 * same word in Latin letters in ten ways (maadu, madu, maattu). Both are folded onto the same short key, so that
 * மாடு, "maadu" and "madu" all become `matu`. Keys are stored and looked up as they are:
 * after a change of rules every stored key must be made anew (`KEYS_VERSION`).
 */
export const KEYS_VERSION = 1

const consonants: Record<string, string> = {
  க: 'k',
  ங: 'n',
  ச: 'c',
  ஞ: 'n',
  ட: 't',
  ண: 'n',
  த: 't',
  ந: 'n',
  ப: 'p',
  ம: 'm',
  ய: 'y',
  ர: 'r',
  ல: 'l',
  வ: 'v',
  ழ: 'l',
  ள: 'l',
  ற: 'r',
  ன: 'n',
  ஜ: 'c',
  ஷ: 'c',
  ஸ: 'c',
  ஹ: '',
  ஶ: 'c',
}
const vowels: Record<string, string> = {
  அ: 'a',
  ஆ: 'a',
  இ: 'i',
  ஈ: 'i',
  உ: 'u',
  ஊ: 'u',
  எ: 'e',
  ஏ: 'e',
  ஐ: 'ai',
  ஒ: 'o',
  ஓ: 'o',
  ஔ: 'au',
}
const vowelSigns: Record<string, string> = {
  'ா': 'a',
  'ி': 'i',
  'ீ': 'i',
  'ு': 'u',
  'ூ': 'u',
  'ெ': 'e',
  'ே': 'e',
  'ை': 'ai',
  'ொ': 'o',
  'ோ': 'o',
  'ௌ': 'au',
}
const PULLI = '்'

/** Latin spellings, longest first: each becomes what the Tamil letters become. */
const latinSounds: [RegExp, string][] = [
  [/ksh|x/g, 'kc'],
  [/tch|cch|chh|ch|sh/g, 'C'],
  [/zh/g, 'l'],
  [/th|dh/g, 't'],
  [/gh|kh|ck/g, 'k'],
  [/ph|bh/g, 'p'],
  [/ee/g, 'i'],
  [/oo/g, 'u'],
  [/c|q/g, 'k'],
  [/s|j|z/g, 'C'],
  [/d/g, 't'],
  [/g/g, 'k'],
  [/b|f/g, 'p'],
  [/w/g, 'v'],
  [/h/g, ''],
  [/C/g, 'c'],
]

const isTamil = (word: string) => /[\u0B80-\u0BFF]/.test(word)

/** The words of a text, in order, lower case, NFC; Tamil digits become 0-9. Marks stay with their letters. */
export function wordsOf(text: string): string[] {
  const plain = text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[௦-௯]/g, (digit) => String(digit.charCodeAt(0) - 0x0be6))
    .replace(/[\u200B-\u200D\uFEFF]/g, '')
  return plain.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
}

/** The key of one word, or '' when nothing of it can be heard. */
export function keyOf(word: string): string {
  const sounds = isTamil(word) ? soundsOfTamil(withoutTamilEnding(word)) : soundsOfLatin(withoutLatinEnding(word))
  return sounds
    .replace(/(.)\1+/gu, '$1')
    .replace(/aiy/g, 'ay')
    .replace(/ay$/, 'ai')
    .replace(/ey$/, 'i')
    .replace(/([^aeiou])y$/u, '$1i')
    .slice(0, 40)
}

export function keysOf(text: string): string[] {
  return wordsOf(text)
    .map(keyOf)
    .filter((key) => key !== '')
}

function soundsOfTamil(word: string): string {
  let sounds = ''
  const letters = [...word]
  for (const [index, letter] of letters.entries()) {
    const consonant = consonants[letter]
    if (consonant !== undefined) {
      const next = letters[index + 1]
      sounds += consonant
      // A bare consonant carries an a, unless a vowel sign or the pulli follows.
      if (next !== PULLI && (next === undefined || vowelSigns[next] === undefined)) sounds += 'a'
    } else {
      sounds += vowels[letter] ?? vowelSigns[letter] ?? (letter === PULLI ? '' : soundsOfLatin(letter))
    }
  }
  return sounds
}

function soundsOfLatin(word: string): string {
  let sounds = word.normalize('NFD').replace(/[\u0300-\u036f]/g, '')
  for (const [spelling, sound] of latinSounds) sounds = sounds.replace(spelling, sound)
  return sounds
}

/** கள் and what follows it (plural with case), the dative, and the doubled consonant that joins a word to the next one. */
function withoutTamilEnding(word: string): string {
  const stem = word.replace(/(க்)?கள(ை|ின்|ுக்கு|ில்|ால்|ுடன்|ுக்கான)?்?$/u, '').replace(/([கசதப])்$/u, '')
  return [...stem].length >= 2 ? stem : word
}

function withoutLatinEnding(word: string): string {
  if (/^[a-z]{2,}[^aius]s$/.test(word)) return word.slice(0, -1)
  const plural = /^([a-z]{4,}?)(?:k?k|g)al$/.exec(word)
  return plural ? plural[1]! : word
}

/** How many single-letter slips (missing, extra, wrong, swapped) lie between two keys; gives up above `limit`. */
export function slipsBetween(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1
      let slips = Math.min(row[j - 1]! + 1, last[j]! + 1, last[j - 1]! + cost)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) slips = Math.min(slips, beforeLast[j - 2]! + 1)
      row.push(slips)
    }
    if (Math.min(...row) > limit) return limit + 1
    beforeLast = last
    last = row
  }
  return last[b.length]!
}

/** How many slips we forgive: none in a short word (aadu and maadu differ by one letter), one from four letters, two from eight. */
export const slipsForgiven = (key: string) => (key.length < 4 ? 0 : key.length < 8 ? 1 : 2)
