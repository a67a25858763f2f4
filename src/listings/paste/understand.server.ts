import { animal, breed, color, district, stock } from './animal-facts.server.ts'
import { age, lactation, milk, offspring, passOverDam, passOverDays, pregnant, teeth } from './mother-facts.server.ts'
import { bestPrice, pincode, price, weight } from './price-facts.server.ts'
import { withoutChatMarks } from './chat-text.ts'
import { Reading, type Understood } from './reading.server.ts'
import { breedsCalled, sounds, spells, tradeIdsOf } from './lexicon.server.ts'
import { announcesPrice } from '#src/kit/time-money/amounts.ts'
import { phonesIn, replacePhones } from '#src/kit/text/phones-in-text.ts'
import { readable, type Token } from '#src/kit/text/tokens.ts'

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
  /** Several animals have prices, and the first was read; the writer wants to buy; the price is of several together. */
  hint?: 'several' | 'wanted' | 'lot'
  /** The message for buyers, without phone numbers, links and rows of emojis. */
  text: string
}

const LINK = /(?:https?:\/\/|www\.|wa\.me\/)\S+|\S+@\S+\.\S+/gi
/** TN 33 AB 1234. Reads only the southern states' letters, and no unit, because "py 10 kg 4500" has the same form. */
const VEHICLE =
  /\b(?:tn|ka|kl|ap|ts|tg|py)[\s-]?\d{1,2}[\s-]?(?!(?:pal|yrs?|kgs?|li?t|l|mon|mth|day|age|rs|nd|rd|th|k)\b)[a-z]{1,3}[\s-]?\d{4}\b/gi
/** Twelve digits in one piece, or any number behind a word for a tag or an identity card. */
const TAG =
  /\b\d{12}\b|(?<!\p{L})(?:tag|டேக்|காது|கம்மல்|aadhaa?r|ஆதார்|u?id|ref|ifsc|reg|registration|passport|serial|s\.?no|code|item|vehicle|account|ad(?= no))(?: ?(?:no|number|எண்|நம்பர்))? ?[.:#-]? ?(?:\d{4}([ -])\d{4}\1\d{4}|\d{3,})\b/giu
/** A2 is a kind of milk, not a number. */
const A2 = /\ba2\b/gi
/** "call 10 am to 6 pm", "காலை 9 மணி முதல் மாலை 6 மணி வரை". */
const HOURS =
  /\d{1,2} ?am (?:to|and) \d{1,2} ?pm|\d{1,2} ?(?:மணி|mani)\p{L}*|(?:காலை|kaa?lai) \d{1,2} (?:முதல்|to|mu[td]h?al) (?:மாலை|maa?lai) \d{1,2}/giu
/** Words for calling, and the sign that replaces a phone number behind them. */
const CALL = /(?:(?:call|cell|ph|phone|contact|mobile|mob|whatsapp|no|number|தொடர்புக்கு|போன்|செல்|அழைக்க)[\s:.-]*)*\0/giu

const spansOf = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map(({ 0: found, index }) => ({ start: index, end: index + found.length }))

/**
 * Reads a seller's group message in Tamil, in English, in Tamil with Latin letters, or mixed. At most one fact takes each word, the most certain
 * first: "4 பல்" is no price, and "12 லிட்டர் பால்" is not about teeth.
 */
export function understand(message: string): Understanding {
  const whole = withoutChatMarks(readable(message))
  const { text, others } = firstAnimal(whole)
  const { isOfLot, ...facts } = factsIn(text)
  const hint = others !== null ? 'several' : isWanted(new Reading(text)) ? 'wanted' : isOfLot && 'lot'
  // The place at the end is that of all.
  const district = others === null ? undefined : (facts.district ?? factsIn(others).district)
  if (district) facts.district = district
  // A budget is no asking price, and "naai kutti" is a puppy.
  if (hint === 'wanted') {
    delete facts.price
    delete facts.offspring
  }
  return { ...facts, ...(hint && { hint }), text: publicText(text) }
}

/** The message's words and numbers, without phones, links, vehicles and tags. */
function read(text: string): Reading {
  const reading = new Reading(text)
  reading.passOver(phonesIn(text))
  for (const pattern of [LINK, A2, VEHICLE, TAG, HOURS]) reading.passOver(spansOf(text, pattern))
  return reading
}

function factsIn(text: string): Omit<Understanding, 'text' | 'hint'> & { isOfLot?: true } {
  const reading = read(text)
  const found: Omit<Understanding, 'text' | 'hint'> = {}
  const set = <K extends keyof typeof found>(name: K, value: (typeof found)[K] | null | undefined) => {
    if (value) found[name] = value
  }
  const kinds = reading.kinds()
  passOverDam(reading, kinds)
  set('offspring', offspring(reading, kinds))
  set('pregnant', pregnant(reading))
  passOverDays(reading)
  set('lactation', lactation(reading))
  set('milkLitres', milk(reading))
  set('teeth', teeth(reading))
  set('ageMonths', age(reading))
  const pin = pincode(reading)
  const cost = price(reading)
  set('price', cost.price)
  set('weightKg', weight(reading))
  const race = breed(reading, kinds)
  const isMother = Boolean(found.offspring ?? found.pregnant ?? found.lactation ?? found.milkLitres)
  const kind = animal(reading, kinds, race, isMother)
  set('breedId', race && { value: race.value.id, words: race.words })
  set('categoryId', kind.category)
  set('genderId', kind.sex)
  set('stock', stock(reading, kinds, race, cost.isOfLot))
  set('colorId', color(reading))
  set('district', pin ?? district(reading))
  return { ...found, ...(cost.isOfLot && { isOfLot: true }) }
}

const isAnimalAt = ({ tokens }: Reading, at: number) => {
  const token = tokens[at]
  return token !== undefined && (tradeIdsOf(token).some((id) => id !== 'milk') || breedsCalled([token]).length > 0)
}

/** "Wanted 10 goats", "பசு வேண்டும்": the animal stands beside the wish. */
function isWanted(reading: Reading): boolean {
  const { tokens } = reading
  const isBeside = (from: number, step: number) => {
    let at = from + step
    while (spells(tokens[at], 'wish') || (tokens[at]?.value ?? 1000) < 1000) at += step
    return isAnimalAt(reading, at)
  }
  const isWish = (token: Token, at: number) =>
    (spells(token, 'wanted') && isBeside(at, 1)) || (spells(token, 'wantedBehind') && isBeside(at, -1))
  const isRefused = (token: Token | undefined) => spells(token, 'no') || spells(token, 'notWished')
  return (
    !tokens.some((token) => spells(token, 'selling')) &&
    tokens.some((token, at) => isWish(token, at) && !isRefused(tokens[at - 1]) && !isRefused(tokens[at + 1]))
  )
}

/** Commas, stops and slashes end a part of a line. */
const PART_END = /(?<=[,;|.]\s|\s\/\s)/u

/** A line, or its parts when two of them name an animal with a price: "HF cow 65000, Jersey heifer 30000". */
function partsOf(line: string): { line: string; isOffer: boolean }[] {
  const parts = line.split(PART_END).map((part) => ({ part, ...lineOf(part) }))
  const offers = parts.filter(({ hasAnimal, price }) => hasAnimal && price && !price.isLast)
  if (offers.length < 2) return [{ line, isOffer: false }]
  let current = { line: '', isOffer: false }
  const pieces = [current]
  let seen = 0
  for (const one of parts) {
    const isOffer = offers.includes(one)
    if (isOffer) seen += 1
    // The parts behind the last offer may name the place of all.
    if (isOffer ? seen > 1 : seen === offers.length) {
      current = { line: one.part, isOffer }
      pieces.push(current)
    } else current.line += one.part
  }
  return pieces
}

/** A line with its price and the animals and breeds that it names. */
function lineOf(line: string) {
  const reading = read(line)
  // "total goats 90000" is about the animals of an earlier line.
  const isTotal = reading.tokens.some((token) => sounds(token, 'total'))
  const all = isTotal ? [] : reading.kinds()
  const kinds = all.filter(({ category, isYoung }) => category !== null && !isYoung)
  const names = kinds.map(({ category, isBuffalo }) => (isBuffalo ? 'buffalo' : `${category}`))
  const race = isTotal ? null : breed(reading, all)
  if (race) names.push(`breed ${race.value.id}`)
  pincode(reading)
  const price = bestPrice(reading)
  let before = (price?.from ?? 0) - 1
  while (announcesPrice(reading.tokens[before])) before -= 1
  const isOfAnimal =
    isAnimalAt(reading, before) ||
    reading.isNumber(before) ||
    reading.isUnit(reading.tokens[before]) ||
    spells(reading.tokens[(price?.from ?? 0) - 1], 'price') ||
    sounds(reading.tokens[before], 'pregnant')
  return { line, names, price, hasAnimal: all.length > 0 || race !== null, isAtBegin: before < 0, isOfAnimal }
}

/**
 * Keeps the lines of the first animal, and the lines at the end that state no fact but the place. A later line begins
 * a second animal when it names one beside a price. It also does so when it names another one and a line behind it
 * begins with a price. A last price, and the same price again, are of the same animal. `others`: the last other animal.
 */
function firstAnimal(text: string): { text: string; others: string | null } {
  const lines = text
    .split(/(?<=\n)/)
    .flatMap(partsOf)
    .map(({ line, isOffer }) => ({ ...lineOf(line), isOffer }))
  const named = lines.findIndex(({ names }) => names.length > 0)
  const priced = lines.findIndex(({ price }) => price)
  const first = lines[priced]?.price
  const second = lines.findIndex(({ names, price, isOffer, isAtBegin, isOfAnimal }, at) => {
    if (isOffer) return price?.value !== first?.value
    if (!first || named < 0 || at <= Math.max(named, priced) || names.length === 0) return false
    const next = lines.slice(at + 1).find(({ price }) => price)
    const isNew = names.some((name) => !lines.slice(0, at).some((line) => line.names.includes(name)))
    const own = price ? (isAtBegin || isOfAnimal) && price : isNew && next?.isAtBegin && next.price?.isMarked && next.price
    return own && own.value !== first.value && (first.isLast || !own.isLast)
  })
  if (second < 0) return { text, others: null }
  const end = lines.findLastIndex(({ line }) => Object.keys(factsIn(line)).some((name) => name !== 'district')) + 1
  const kept = [...lines.slice(0, second), ...lines.slice(end)].map(({ line }) => line)
  return { text: kept.join('').replace(/[\s,;|/]+$/u, ''), others: lines.at(end - 1)?.line ?? '' }
}

/** Removes phone numbers. Buyers see the seller's number after a counted tap, and nobody can scrape it. */
function publicText(text: string): string {
  // A number may stand on two lines.
  const without = replacePhones(text.replace(LINK, ' '), '\u0000')
    .replace(CALL, ' ')
    .split('\n')
    .map((line) =>
      line
        .replace(/(\p{Extended_Pictographic}(?:\p{EMod}|\uFE0F|\u200D)*\s*){2,}/gu, ' ')
        .replace(/[^\S\n]+/g, ' ')
        .trim(),
    )
    .filter((line) => /[\p{L}\p{N}]/u.test(line))
  return without.join('\n').trim()
}
