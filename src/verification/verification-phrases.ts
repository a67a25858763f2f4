import { m } from '#src/paraglide/messages.js'

/**
 * What admins write most, ready to be ticked: they read it in their language, the seller gets it in the seller's. A verdict's comment is
 * the ticked sentences and then what was written besides.
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
/** These say why something passes; the rest is for the seller to mend. */
const passPhrases: readonly Phrase[] = ['agree', 'called']

/** Whether a sentence explains this verdict; before there is one, all of them may. */
export const isPhraseOf = (phrase: Phrase, passed: boolean | undefined): boolean =>
  passed === undefined || passPhrases.includes(phrase) === passed

/** In the page's language, or in the one that is asked for. */
export const phraseText = (phrase: Phrase, locale?: 'ta' | 'en') => texts[phrase]({}, locale && { locale })
