import { animal, breed, color, district, stock } from './animal-facts.server.ts'
import { age, lactation, milk, offspring, passOverDays, pregnant, teeth } from './mother-facts.server.ts'
import { pincode, price, weight } from './price-facts.server.ts'
import { withoutChatMarks } from './chat-text.ts'
import { Reading, type Understood } from './reading.server.ts'
import { spells } from './lexicon.server.ts'
import { phonesIn, replacePhones } from '#src/kit/text/phones-in-text.ts'
import { readable } from '#src/kit/text/tokens.ts'

/** The facts that a seller's message states, and no others. Rupees, kilograms, litres a day, months. */
export interface Understanding {
  categoryId?: Understood<number>
  breedId?: Understood<number>
  /** 0 female, 1 male, 2 castrated, 3 a lot of both. */
  genderId?: Understood<number>
  ageMonths?: Understood<number>
  colorId?: Understood<number>
  teeth?: Understood<number>
  lactation?: Understood<number>
  milkLitres?: Understood<number>
  pregnant?: Understood<true>
  offspring?: Understood<number>
  stock?: Understood<number>
  weightKg?: Understood<number>
  price?: Understood<number>
  /** The English name of a district of Tamil Nadu. */
  district?: Understood<string>
  /** The message names several animals with prices, of which the first was read; or its writer wants to buy. */
  hint?: 'several' | 'wanted'
  /** The message for buyers, without phone numbers, links and rows of emojis. */
  text: string
}

const LINK = /(?:https?:\/\/|www\.|wa\.me\/)\S+|\S+@\S+\.\S+/gi
/** TN 33 AB 1234, of the southern states: "wt 25 kg 9500" has the same form. */
const VEHICLE = /\b(?:tn|ka|kl|ap|ts|tg|py)[\s-]?\d{1,2}[\s-]?[a-z]{1,3}[\s-]?\d{4}\b/gi
const EAR_TAG = /\b\d{4}[\s-]?\d{4}[\s-]?\d{4}\b/g
const CALL_WORDS = /(?:(?:call|cell|ph|phone|contact|mobile|mob|whatsapp|no|number|தொடர்புக்கு|போன்|செல்|அழைக்க)\s*[:.-]*\s*)+$/iu

const spansOf = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map(({ 0: found, index }) => ({ start: index, end: index + found.length }))

/**
 * Reads a seller's group message in Tamil, in English, in Tamil with Latin letters, or mixed. At most one fact takes each word, the most certain
 * first: "4 பல்" is no price, and "12 லிட்டர் பால்" is not about teeth.
 */
export function understand(message: string): Understanding {
  const whole = withoutChatMarks(readable(message))
  const text = firstAnimal(whole)
  const reading = new Reading(text)
  const says = (name: 'wanted' | 'selling') => reading.tokens.some((token) => spells(token, name))
  const found: Omit<Understanding, 'text' | 'hint'> = {}
  const set = <K extends keyof typeof found>(name: K, value: (typeof found)[K] | null | undefined) => {
    if (value) found[name] = value
  }
  reading.passOver(phonesIn(text))
  // A2 is a kind of milk, not a number.
  for (const pattern of [LINK, /\ba2\b/gi, VEHICLE, EAR_TAG]) reading.passOver(spansOf(text, pattern))
  const kinds = reading.kinds()
  set('offspring', offspring(reading, kinds))
  set('pregnant', pregnant(reading))
  passOverDays(reading)
  set('lactation', lactation(reading))
  set('milkLitres', milk(reading))
  set('teeth', teeth(reading))
  set('ageMonths', age(reading))
  const pin = pincode(reading)
  set('price', price(reading))
  set('weightKg', weight(reading))
  const race = breed(reading, kinds)
  const isMother = Boolean(found.offspring ?? found.pregnant ?? found.lactation ?? found.milkLitres)
  const kind = animal(reading, kinds, race, isMother)
  set('breedId', race && { value: race.value.id, words: race.words })
  set('categoryId', kind.category)
  set('genderId', kind.sex)
  set('stock', stock(reading, kinds, race))
  set('colorId', color(reading))
  set('district', pin ?? district(reading))
  const hint = text === whole ? says('wanted') && !says('selling') && 'wanted' : 'several'
  return { ...found, ...(hint && { hint }), text: publicText(text) }
}

/**
 * The lines of the first animal: a later line that names an animal begins the next, when a price stands before it and
 * another one follows. A last price is of the same animal.
 */
function firstAnimal(text: string): string {
  const lines = text.split('\n').map((line) => {
    const reading = new Reading(line)
    reading.passOver(phonesIn(line))
    const isNamed = reading.kinds().some(({ category, isYoung }) => category !== null && !isYoung)
    const isLast = reading.tokens.some((token) => spells(token, 'last'))
    return { line, isNamed, isPriced: !isLast && price(reading) !== null }
  })
  const named = lines.findIndex(({ isNamed }) => isNamed)
  const priced = lines.findIndex(({ isPriced }) => isPriced)
  const next = lines.findIndex(({ isNamed }, at) => isNamed && at > named && at > priced)
  if (priced < 0 || next < 0 || !lines.slice(next).some(({ isPriced }) => isPriced)) return text
  const first = lines.slice(0, next)
  return first.map(({ line }) => line).join('\n')
}

/** Removes phone numbers. Buyers see the seller's number after a counted tap, and nobody can scrape it from the page. */
function publicText(text: string): string {
  const without = text
    .replace(LINK, ' ')
    .split('\n')
    .map((line) => replacePhones(line, '\u0000'))
    .map((line) => {
      const parts = line.split('\u0000')
      return parts.map((part, at) => (at < parts.length - 1 ? part.replace(CALL_WORDS, '') : part)).join(' ')
    })
    .map((line) =>
      line
        .replace(/(\p{Extended_Pictographic}(?:\p{EMod}|\uFE0F|\u200D)*\s*){2,}/gu, ' ')
        .replace(/[^\S\n]+/g, ' ')
        .trim(),
    )
    .filter((line) => /[\p{L}\p{N}]/u.test(line))
  return without.join('\n').trim()
}
