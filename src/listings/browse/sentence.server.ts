import { findHomePlace, findPincode, findPlace, homeStates, placeName, type Town } from '#src/addresses/places.server.ts'
import { heardAs, numberWord, ordinalWord } from '#src/kit/text/number-words.ts'
import { phonesIn } from '#src/kit/text/phones-in-text.ts'
import { searchText } from '#src/kit/text/plain-text.ts'
import { keysOf, slipsBetween, wordsOf } from '#src/kit/text/sound-keys.ts'
import { readable, type Token } from '#src/kit/text/tokens.ts'
import type { Locale } from '#src/kit/text/locale.ts'
import { amountFrom, announcesPrice, endsPrice, type Amount } from '#src/kit/time-money/amounts.ts'
import { isAnimalType } from '#src/listings/fields/listing-questions.ts'
import { sounds, tradeIdsOf } from '#src/listings/paste/lexicon.server.ts'
import { age, lactation, milk, pregnant, teeth } from '#src/listings/paste/mother-facts.server.ts'
import { weight } from '#src/listings/paste/price-facts.server.ts'
import { blank, NEAR, ORDINAL, Reading, type Understood } from '#src/listings/paste/reading.server.ts'
import { categories } from '#src/listings/reference/reference-data.ts'
import { categoryLexeme, isEmptyWord, isOtherWord, meaningOf, quoted } from '#src/listings/reference/vocabulary.server.ts'
import type { ChosenTraits, TraitValue } from '#src/listings/traits/traits.ts'
import { BY_ME, NEARBY, takePhrases } from './near-me.server.ts'
import { radii, USUAL_KM, type Sort } from './schemas.ts'
import { MAX_SEARCH_CHARACTERS } from './search-limits.ts'
import { readProductNumber } from './search.server.ts'

/**
 * Reads the facts of a typed search as filters: "jersey cow under 50000 erode pakkam" becomes `q=jersey cow`,
 * `max=50000`, `near=Erode` and `within=50`. Facts without a filter and all other words stay in `q`. It uses the
 * readers of the paste box, so a buyer may write as sellers do. `near` is the place's name in this language. `left`
 * has the words of bounds that no filter can say, such as "milk below 10 litres": the search goes on without them.
 */
export function readSentence(query: URLSearchParams, locale: Locale): { query: URLSearchParams; left: string[] } {
  const typed = searchText(query.get('q') ?? '', MAX_SEARCH_CHARACTERS)
  if (typed === '' || (readProductNumber(typed) && !PRICE_OR_PIN.test(typed))) return { query, left: [] }
  const reading = new Reading(apart(readable(typed)))
  // Before all other facts: "2nd lactation 3 months" states no age.
  const lactations = isOfGoods(reading) ? null : figureOf(reading, lactation)
  const stays = factsWithoutFilter(reading)
  const place = circle(reading, locale)
  const { chosen, left } = figures(reading, lactations)
  const filters = { ...place, ...chosen, ...prices(reading) }
  passOverCounts(reading)
  if (reading.isTaken.every((isTaken, at) => isTaken === stays[at])) return { query, left }
  const read = new URLSearchParams(query)
  for (const [name, value] of Object.entries(filters)) read.set(name, value)
  read.set('q', restOf(reading, stays))
  return { query: read, left }
}

/** "cow 50000" and "cow 638001" name a price and a PIN code, although an animal may have that number. */
const PRICE_OR_PIN = /\s(?:6\d{5}|[1-9]\d*[05]00)$/

/** Splits endings from their words: ஆயிரத்துக்குள், "lakhukulla". In a range, both figures get the unit: "50-60k". */
const apart = (text: string): string =>
  text
    .replace(/(?<=[\u0B80-\u0BFF])(?=க்குள்|க்கு(?![\u0B80-\u0BFF])|வரை|இருந்து)/gu, ' ')
    .replace(/(?<=[\u0B80-\u0BFF])த்திற்குள்/gu, 'த்து க்குள்')
    .replace(/ிலிருந்து/gu, 'ில் இருந்து')
    .replace(/(a?a?yira(?:thu?|m)|lakh?s?u?|lacs?|latcha(?:thu?|m)|thousand|rs|rupees?|\dk)(?=kk?ul|kk?u\b|varai)/gi, '$1 ')
    .replace(/(?<=[a-z]{3})(?=iru(?:nd|nth|ndh)u\b)/gi, ' ')
    .replace(/கி\.?\s?மீ\.?/gu, ' km ')
    .replace(/\bthe\b/gi, ' ')
    .replace(
      /(\d)\s*(-|–|to|and|முதல்)\s*(\d[\d.]*)\s*(k|l|la(?:kh|c)s?|latcham|thousand|aa?yiram|ஆயிரம்|லட்சம்)(?![\p{L}\p{M}])/giu,
      '$1 $4 $2 $3 $4',
    )

/** Marks what no filter can say: teeth, pregnancy without its months; also phone numbers and A2 milk. */
function factsWithoutFilter(reading: Reading): boolean[] {
  const read = [...reading.isTaken]
  reading.passOver(phonesIn(reading.text))
  reading.passOver([...reading.text.matchAll(/\ba2\b/gi)].map(({ index }) => ({ start: index, end: index + 2 })))
  teeth(reading)
  const stays = reading.isTaken.map((isTaken, at) => isTaken && !read[at])
  pregnant(reading)
  const isOfMonths = (token: Token) => token.value !== null || numberWord(token.plain) !== null || sounds(token, 'month')
  const isFact = (token: Token, at: number) => reading.isTaken[at] && !read[at] && !isOfMonths(token)
  return reading.tokens.map((token, at) => stays[at] === true || isFact(token, at) === true)
}

type Bound = 'below' | 'above' | 'around'
/** Words before a figure; English ones may also end the sentence. */
const before: [Bound, string][] = [
  ['below', 'under below less younger within upto max maximum budget பட்ஜெட் inside between'],
  ['above', 'above over more older min minimum atleast from'],
  ['around', 'around about approx approximately roughly சுமார் சுமாரா sumar sumaar sumara ஏறக்குறைய'],
]
/** Words behind a figure. */
const behind: [Bound, string][] = [
  [
    'below',
    `க்குள் க்குள்ள க்குள்ளே குள் குள்ள குள்ளே கீழ் கீழே கீழ வரை வரைக்கும் kizh kizhe keezh keezhe keela keele kul
     kulla kullae kkul kkulla ukul ukulla varai varaikkum varaikum vara`,
  ],
  ['above', 'மேல் மேலே மேல mel mele mela melae அதிகம் athigam adhigam'],
]
/** Words that say no more beside a figure. */
const joins = heardAs(
  `than to up at least of is only old oru per day daily naal naalaikku naalukku dinamum dinam thinamum ku kku
   க்கு ஒரு நாள் நாளைக்கு நாளுக்கு தினமும் தினம் எடை edai weight`,
)
const heardIn = (list: [Bound, string][]) => {
  const longKeys = (words: string) => keysOf(words).filter((key) => key.length > 4)
  const words = list.map(([bound, words]) => ({ bound, isHeard: heardAs(words), keys: longKeys(words) }))
  return (token: Token | undefined): Bound | null => {
    const isMeant = (key: string) => token?.value === null && token.key.length > 4 && slipsBetween(token.key, key, 1) <= 1
    return (words.find(({ isHeard }) => isHeard(token)) ?? words.find(({ keys }) => keys.some(isMeant)))?.bound ?? null
  }
}
const boundBefore = heardIn(before)
const boundBehind = heardIn(behind)
const isBound = (token: Token | undefined) => (boundBefore(token) ?? boundBehind(token)) !== null

/** The bound that words or signs around these tokens state; takes all of them. */
function boundOf(reading: Reading, first: number, last: number): Bound | null {
  const joined = (at: number) => [joins, announcesPrice, endsPrice].some((isJoin) => isJoin(reading.free(at)))
  let [from, to] = [first, last]
  const isBeforeFigure = (at: number) => boundBefore(reading.free(at)) !== null || joined(at)
  while (isBeforeFigure(from - 1)) from -= 1
  // "1 year under 10000": the word belongs to the next figure.
  while (boundBehind(reading.free(to + 1)) || (isBeforeFigure(to + 1) && reading.free(to + 2)?.value == null)) to += 1
  const [sign, rest] = [reading.tokens[first]?.gap ?? '', reading.text.slice(reading.tokens[last]?.end)]
  const said = [...reading.tokens.slice(last + 1, to + 1), ...reading.tokens.slice(from, first).toReversed()]
  reading.take(from, to, null)
  return (
    said.flatMap((token) => boundBehind(token) ?? boundBefore(token) ?? [])[0] ??
    (/[<≤]/.test(sign) ? 'below' : /[>≥]/.test(sign) || /^\s*\+(?!\s*\d)/.test(rest) ? 'above' : null)
  )
}

/** "First" alone is no first-aid kit. */
const isOfGoods = ({ tokens }: Reading): boolean =>
  tokens.some(({ plain }) => ordinalWord(plain) === null && meaningOf(plain)?.conditions.some((each) => ofGoods.has(each)))

/** Lactation, milk, age and weight of an animal. Of goods, "50 kg" and "10 litre" are sizes. */
function figures(reading: Reading, lactations: Figure | null): { chosen: ChosenTraits; left: string[] } {
  if (isOfGoods(reading)) return { chosen: {}, left: [] }
  const [litres, months, kilos] = [milk, age, weight].map((read) => figureOf(reading, read))
  const found = {
    lactation: lactations && boundedBand(lactationBands, lactations, 1),
    // A band of milk has no upper end.
    milk: litres && (litres.bound === 'below' ? null : bandOf(milkBands, litres.value)),
    age: months && boundedBand(ageBands, months, 1),
    weight: kilos && boundedBand(weightBands, kilos, 0.001),
  }
  const figures = { lactation: lactations, milk: litres, age: months, weight: kilos }
  const unsaid = Object.entries(figures).filter(([name]) => found[name as 'milk'] === null)
  return {
    chosen: Object.fromEntries(Object.entries(found).filter(([, band]) => band)),
    left: unsaid.flatMap(([, figure]) => (figure ? [wordsAt(reading, figure.at)] : [])),
  }
}

/**
 * The lower end belongs to a band, so "below 3 years" is the band before. Above a figure are several bands, unless it
 * is in the last one: then null, because one of them would hide the others.
 */
function boundedBand<V>(bands: Bands<V>, { value, bound }: Figure, step: number): V | null {
  const band = bandOf(bands, value - (bound === 'below' ? step : 0))
  return bound === 'above' && band !== bands.at(-1)?.[1] ? null : band
}

/** The words at these tokens, with the endings that `apart` split from them. */
const wordsAt = ({ text, tokens }: Reading, at: number[]): string =>
  at
    .flatMap((index) => tokens[index] ?? [])
    .map(({ start, end }) => text.slice(start, end))
    .join(' ')
    .replaceAll(/ (?=க்கு)/gu, '')

const goods = categories.filter(({ typeId }) => !isAnimalType(typeId))
const ofGoods = new Set(goods.map(({ id }) => quoted(categoryLexeme(id))))

interface Figure {
  value: number
  bound: Bound | null
  /** The tokens of the figure and its bound. */
  at: number[]
}

/** Runs a reader, and takes the bound of its figure with it. */
function figureOf(reading: Reading, read: (reading: Reading) => Understood<number> | null): Figure | null {
  const before = [...reading.isTaken]
  const taken = () => reading.isTaken.flatMap((isTaken, at) => (isTaken && !before[at] ? [at] : []))
  const found = read(reading)
  return found && { value: found.value, bound: boundOf(reading, taken()[0] ?? 0, taken().at(-1) ?? 0), at: taken() }
}

/** The values of a trait with their lower ends: lactations, litres a day, months, kilograms. */
type Bands<V> = [[0, V], ...[number, V][]]
const lactationBands: Bands<TraitValue<'lactation'>> = [[0, '1'], [2, '2'], [3, '3'], [4, '4-']] // oxfmt-ignore
const milkBands: Bands<TraitValue<'milk'>> = [[0, 'any'], [5, '5'], [10, '10'], [15, '15']] // oxfmt-ignore
const ageBands: Bands<TraitValue<'age'>> = [[0, '0-1'], [12, '1-3'], [36, '3-5'], [60, '5-']] // oxfmt-ignore
const weightBands: Bands<TraitValue<'weight'>> = [[0, '0-10'], [10, '10-30'], [30, '30-100'], [100, '100-300'], [300, '300-']] // oxfmt-ignore
const bandOf = <V>(bands: Bands<V>, figure: number): V => (bands.findLast(([from]) => from <= figure) ?? bands[0])[1]

/** The price or the range of prices, in rupees. A price without a bound is the most that the buyer pays. */
function prices(reading: Reading): { min?: string; max?: string } {
  const found: { min?: string; max?: string } = {}
  for (let at = 0; at < reading.tokens.length; at += 1) {
    const amount = reading.free(at) ? amountFrom(reading, at) : null
    const high = amount && highFrom(reading, at, amount)
    const last = high ?? amount
    if (!amount || !last || !isPrice(reading, at, last)) continue
    const bound = boundOf(reading, at, last.to)
    const [min, max] =
      bound === 'around'
        ? [amount.value * 0.8, amount.value * 1.2]
        : high
          ? [amount.value, high.value]
          : bound === 'above'
            ? [amount.value]
            : [null, amount.value]
    if (min) found.min ??= String(Math.round(min))
    if (max) found.max ??= String(Math.round(max))
  }
  return found
}

const DASH = /^\s*[-–—~]\s*[₹₨]?\s*$/u

/** The upper end of a range: "50000-60000", "50k to 60k", "between 5000 and 8000". */
function highFrom(reading: Reading, at: number, low: Amount): Amount | null {
  const { value, gap } = reading.tokens[low.to] ?? blank
  if (low.to > at && value !== null && DASH.test(gap)) return { value, to: low.to, isUnit: false }
  const next = reading.free(low.to + 1)
  const isWord = /^(to|and|முதல்|mudhal|muthal|மற்றும்)$/u.test(next?.plain ?? '')
  const high = isWord || DASH.test(next?.gap ?? '') ? amountFrom(reading, low.to + (isWord ? 2 : 1)) : null
  return high && high.value > low.value ? high : null
}

/** A crore. A larger number belongs to a name. */
const HIGHEST_PRICE = 10_000_000

/** Whether an amount is a price, and not a year, a size, a number of animals or part of a name. */
function isPrice(reading: Reading, at: number, { value, to, isUnit }: Amount): boolean {
  const { gap, value: figure } = reading.tokens[at] ?? blank
  if (value > HIGHEST_PRICE) return false
  const [before, behind] = [reading.tokens[at - 1], reading.tokens[to + 1]]
  const isMarked = /[₹₨<>≤≥]/u.test(gap) || [before, behind].some((token) => isBound(token) || announcesPrice(token)) || endsPrice(behind)
  if (isUnit || isMarked) return isUnit || value >= 100
  if (figure === null || reading.isUnit(behind) || reading.isLitre(behind) || (value >= 1990 && value <= 2030)) return false
  const isCount = behind !== undefined && tradeIdsOf(behind).length > 0 && value < 1000
  return !isCount && value >= (reading.isOfBirds ? 100 : 1000)
}

/** The number of animals, which no filter has: "10 goats", "20 nos". */
function passOverCounts(reading: Reading): void {
  for (const at of reading.all(({ value }) => value !== null && value < 1000)) {
    const behind = reading.tokens[at + 1] ?? blank
    const isCount = tradeIdsOf(behind).length > 0 || sounds(behind, 'total')
    if (isCount && !ORDINAL.test(behind.plain)) reading.take(at, at, null)
  }
}

const isKilometre = heardAs('km kms kilometer kilometers kilometre kilometres கிலோமீட்டர் கிலோமீட்டரு கிமீ')
/** Words that mark a place, besides those of messages. */
const AROUND =
  /^(in|la|around|side|kitta|kitte|sut+h?ri|suthi|pakkathu(la|le)?|pakkathil|pakam|arugil|aruge|iru(nd|nth|ndh)u|(இ?லி)?ருந்து|இருந்து|சுற்றி.*|கிட்ட|பக்கத்து.*|(மாவட்ட|வட்ட|தாலுக|பகுதி).*)$/u
const marksPlace = (token: Token | undefined) => token !== undefined && (NEAR.test(token.plain) || AROUND.test(token.plain))

/**
 * A place and the distance from it: the smallest radius that contains the stated one. Without a place, words for
 * nearness and a distance alone ask for the order by distance from the reader.
 */
function circle(reading: Reading, locale: Locale): { near?: string; within?: string; sort?: Sort } {
  const isByMe = takePhrases(reading, BY_ME)
  const distance = figureOf(reading, kilometres)
  const near = pincode(reading) ?? town(reading, locale, distance?.at ?? [])
  const km = distance?.value ?? (near === null ? null : USUAL_KM)
  const within = km === null ? {} : { within: String(radii.find((each) => each >= km) ?? radii.at(-1)) }
  if (near !== null) return { near, ...within }
  return isByMe || isNearby(reading, distance) ? { ...within, sort: 'nearest' } : {}
}

/** Whether these words mean the reader's place, because the search names none, not even one that nobody knows. */
function isNearby(reading: Reading, distance: Figure | null): boolean {
  if (reading.tokens.some(({ plain }) => meaningOf(plain)?.isDistrict)) return false
  const unknown = reading.all((token) => isNameLike(token) && !meaningOf(token.plain))
  return takePhrases(reading, NEARBY, (at) => unknown.includes(at)) || (distance !== null && unknown.length === 0)
}

function kilometres(reading: Reading): Understood<number> | null {
  for (const at of reading.all(isKilometre)) {
    const number = reading.numberEndingAt(at - 1)
    if (number) return reading.take(number.from, at, number.value)
  }
  return null
}

function pincode(reading: Reading): string | null {
  for (const at of reading.all(({ value, plain }) => value !== null && /^6\d{5}$/.test(plain) && !plain.endsWith('000'))) {
    const row = findPincode((reading.tokens[at] ?? blank).plain)
    const isMoney = [at - 1, at + 1].some((beside) => isBound(reading.free(beside)) && !marksPlace(reading.free(beside)))
    if (isMoney || !row?.point || !homeStates.includes(row.state)) continue
    takePlace(reading, at, at)
    return row.pincode
  }
  return null
}

function takePlace(reading: Reading, first: number, last: number): void {
  const isOfPlace = (token: Token | undefined) => marksPlace(token) || sounds(token, 'pin')
  let [from, to] = [first, last]
  while (isOfPlace(reading.free(from - 1))) from -= 1
  while (isOfPlace(reading.free(to + 1))) to += 1
  reading.take(from, to, null)
}

/**
 * A town or district beside a word for nearness, despite small typing errors; else the exact name of a town that means
 * nothing else. The name of a district alone stays a search word: it means all of the district.
 */
function town(reading: Reading, locale: Locale, distance: number[]): string | null {
  for (const find of [markedTown, plainTown])
    for (const words of [2, 1])
      for (let from = 0; from + words <= reading.tokens.length; from += 1) {
        const tokens = reading.tokens.slice(from, from + words)
        if (tokens.some((token, index) => reading.isTaken[from + index] || !isNameLike(token))) continue
        const isMarked = [from - 1, from + words].some((at) => marksPlace(reading.free(at)) || distance.includes(at))
        const found = find(tokens, isMarked)
        if (!found) continue
        takePlace(reading, from, from + words - 1)
        return placeName(found.name, locale)
      }
  return null
}

const isNameLike = (token: Token): boolean =>
  token.plain.length > 2 &&
  !marksPlace(token) &&
  !isEmptyWord(token.plain) &&
  tradeIdsOf(token).length === 0 &&
  numberWord(token.plain) === null &&
  !isBound(token) &&
  token.value === null

/** `isMarked`: a word for nearness or the distance stands beside the name: "erode pakkam", "50 km from erode". */
function markedTown(tokens: Token[], isMarked: boolean): Town | null {
  const name = tokens.map(({ plain }) => plain).join(' ')
  const exact = findHomePlace(name)
  const stem = name.replace(/(?:il|la|ula|le)$/, '')
  if (!exact && stem !== name && stem.length > 3) return findHomePlace(stem)
  if (!isMarked && !/(ில்|ல)$/u.test(name)) return null
  if (exact || tokens.some(({ plain }) => meaningOf(plain))) return exact
  const meant = findPlace(name)
  return meant && homeStates.includes(meant.state) ? meant : null
}

const plainTown = (tokens: Token[]): Town | null =>
  tokens.some(({ plain }) => meaningOf(plain) ?? isOtherWord(plain)) ? null : findHomePlace(tokens.map(({ plain }) => plain).join(' '))

/** The words that stay, without those that mean nothing. */
function restOf({ text, tokens, isTaken }: Reading, stays: boolean[]): string {
  const cuts = tokens.filter((_, at) => isTaken[at] && !stays[at])
  const rest = cuts.reduceRight((rest, { start, end }) => `${rest.slice(0, start)} ${rest.slice(end)}`, text)
  return wordsOf(rest)
    .filter((word) => !isEmptyWord(word))
    .join(' ')
}
