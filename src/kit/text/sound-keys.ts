import { plainDigits } from './plain-text.ts'

/**
 * One key for spellings that sound alike in Tamil. Tamil writes one letter for k/g, t/d, p/b and c/s/j, and people type the same word in Latin
 * letters in ten ways (maadu, madu, maattu). This module maps all of them to the same short key: மாடு, "maadu" and "madu" become `matu`. The database
 * stores the keys, so after a change of these rules every listing's keys must be recomputed. Its function `name_keys` has the same rules.
 */
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

/** Latin spellings, longest first, mapped to the sounds of the Tamil letters. */
const latinSounds: [RegExp, string][] = [
  [/ksh|x/g, 'kC'],
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

export const isTamil = (word: string) => /[\u0B80-\u0BFF]/.test(word)

/** The words of a text in order: lower case, NFC, digits as 0-9. Vowel signs stay with their letters. */
export function wordsOf(text: string): string[] {
  const plain = plainDigits(text.normalize('NFC').toLowerCase()).replace(/[\u200B-\u200D\uFEFF]/g, '')
  return plain.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
}

/** The key of one word, or '' when it has no sound. */
export const keyOf = (word: string): string => wholeKeyOf(isTamil(word) ? withoutTamilEnding(word) : withoutLatinEnding(word))
/** The key of one word with its ending, which may be part of a name. */
export const wholeKeyOf = (word: string): string => folded(isTamil(word) ? soundsOfTamil(word) : soundsOfLatin(word))

/**
 * The keys of a word and of words that it may be a form of: மாட்டை is மாடு with an ending, but குட்டை is a separate word; only a dictionary can
 * tell. The word itself comes first.
 */
export function keysOfForms(word: string): string[] {
  const forms = isTamil(word)
    ? doubtfulEndings.flatMap(([ending, letters, ...stems]) => stems.map((stem) => cut(word, ending, stem, letters)))
    : doubtfulLatinEndings.map(([ending, stem]) => (word.length > 5 ? word.replace(ending, stem) : word))
  return [...new Set([word, ...forms].map(keyOf))].filter((key) => key.length > 1)
}

/** The keys of a text in order. Skips single letters, which would match everything. */
export function keysOf(text: string): string[] {
  return wordsOf(text)
    .map(keyOf)
    .filter((key) => key.length > 1)
}

const folded = (sounds: string) =>
  sounds
    .replace(/(\D)\1+/gu, '$1')
    // கன்று is pronounced kandru.
    .replace(/ntr/g, 'nr')
    .replace(/aiy/g, 'ay')
    .replace(/ay(?![aeiou])/g, 'ai')
    .replace(/ey$/, 'i')
    .replace(/([^aeiou])y$/u, '$1i')
    .slice(0, 40)

function soundsOfTamil(word: string): string {
  let sounds = ''
  const letters = [...word]
  for (const [index, letter] of letters.entries()) {
    const consonant = consonants[letter]
    if (consonant !== undefined) {
      const next = letters[index + 1]
      sounds += consonant
      // A bare consonant carries an a unless a vowel sign or the pulli follows.
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

/** Unambiguous endings: pattern, replacement for the stem, and the minimum number of letters that the stem keeps. */
const sureEndings: [RegExp, string, number][] = [
  [/ங்கள(்|ை|ின்|ுக்கு|ில்|ால்|ுடன்|ுக்கான)$/u, 'ம்', 2],
  [/(க்)?கள(்|ை|ின்|ுக்கு|ில்|ால்|ுடன்|ுக்கான)$/u, '', 2],
  [/(?<=[க-ஹ])த்த(ில்|ின்|ுடன்|ுக்கு)$/u, 'ம்', 2],
  [/(?<=[ிீை])ய(ில்|ின்|ை|ுடன்|ுக்கு|ால்)$/u, '', 2],
  [/(?<=ு)வ(ில்|ின்|ை|ுடன்|ுக்கு|ால்)$/u, '', 2],
  [/(?<=ட்ட|ற்ற)(ில்|ின்)$/u, 'ு', 2],
  [/(?<=ு)(க்கு|டன்)$/u, '', 2],
  [/(?<=[ிீை])க்கு$/u, '', 2],
  [/(?<=[க-ஹ])(ில்|ின்)$/u, '்', 3],
]

/** Ambiguous endings, which are often part of the word. Tried only against known words. */
const doubtfulEndings: [RegExp, number, ...string[]][] = [
  [/(?<=ட்ட|ற்ற)ை$/u, 2, 'ு'],
  [/(?<=[க-ஹ])த்தை$/u, 2, 'ம்'],
  [/(?<=[க-ஹ])ை$/u, 3, 'ு', '்'],
  [/(?<=[க-ஹ])ால்$/u, 3, 'ு', '்'],
  [/(?<=[க-ஹ])ு(டன்|க்கு)?$/u, 3, '்'],
  [/(?<=[க-ஹ])ும்$/u, 2, 'ு', '்'],
  [/(?<=[ிீை])யும்$/u, 2, ''],
  [/(?<=ு)(வும்|க்கும்)$/u, 2, ''],
]
const doubtfulLatinEndings: [RegExp, string][] = [
  [/ttai$/, 'ttu'],
  [/([aeiou][a-z]{1,2}u)(kk?u|vai|vukku)$/, '$1'],
  [/ath?th?il$/, 'am'],
  [/([ai])(yil|yai|kku)$/, '$1'],
]

/** "Our", "your", "they" look like plurals but are not. */
const pronoun = /^(எங்|உங்|தங்|நாங்|நீங்|அவர்|இவர்)கள/u

const cut = (word: string, ending: RegExp, stem: string, letters: number) => {
  const rest = word.replace(ending, stem)
  return (rest.match(/[அ-ஹ]/gu)?.length ?? 0) >= letters ? rest : word
}

/** Removes plural and case endings, and the doubled consonant that joins a word to the next one. */
function withoutTamilEnding(word: string): string {
  if (pronoun.test(word)) return word
  let stem = word
  for (const [ending, replacement, letters] of sureEndings) {
    stem = cut(word, ending, replacement, letters)
    if (stem !== word) break
  }
  return cut(stem, /([கசதப])்$/u, '', 2)
}

function withoutLatinEnding(word: string): string {
  if (/^[a-z]{2,}[^aius]s$/.test(word)) return word.slice(0, -1)
  const plural = /^([a-z]{4,}?)(?:k?k|g)al$/.exec(word)
  return plural ? plural[1]! : word
}

/** The number of single-letter edits (missing, extra, wrong, swapped) between two keys. Gives up above `limit`. */
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

/** The tolerated edits: none below four letters (aadu and maadu differ by one), one from four letters, two from eight. */
export const slipsForgiven = (key: string) => (key.length < 4 ? 0 : key.length < 8 ? 1 : 2)
