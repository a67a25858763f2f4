import { m } from '#src/paraglide/messages.js'

/**
 * Frequent phrases of admins, to tick: shown in the admin's language, sent in the seller's. A verdict's comment is the ticked phrases and
 * then the typed text.
 */
const texts = {
  agree: m.verify_phrase_agree,
  called: m.verify_phrase_called,
  unclear: m.verify_phrase_unclear,
  side: m.verify_phrase_side,
  elsewhere: m.verify_phrase_elsewhere,
  facts: m.verify_phrase_facts,
  price: m.verify_phrase_price,
  twice: m.verify_phrase_twice,
  forbidden: m.verify_phrase_forbidden,
} as const

export type Phrase = keyof typeof texts
export const phrases = Object.keys(texts) as Phrase[]
/** Reasons for a pass; all others ask the seller to fix something. */
const passPhrases: readonly Phrase[] = ['agree', 'called']

/** Whether a phrase fits this verdict; before a choice, all do. */
export const isPhraseOf = (phrase: Phrase, passed: boolean | undefined): boolean =>
  passed === undefined || passPhrases.includes(phrase) === passed

/** The reasons against a listing, for a form. */
export const failReasons = () => phrases.filter((id) => isPhraseOf(id, false)).map((id) => ({ id, name: phraseText(id) }))

/** The comment of a form with a reason from `failReasons` and own words, in the seller's language. */
export const failComment = (reason: string, words: string, locale: 'ta' | 'en') =>
  [...phrases.filter((id) => id === reason).map((id) => phraseText(id, locale)), words.trim()].filter(Boolean).join(' ')

/** In the page's language, or the given one. */
export const phraseText = (phrase: Phrase, locale?: 'ta' | 'en') => texts[phrase]({}, locale && { locale })
