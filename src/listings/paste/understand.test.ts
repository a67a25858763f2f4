import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { workOf } from '#tools/test-kit/work-of.ts'
import { breeds, categories, colors } from '#src/listings/reference/reference-data.ts'
import { ageOfMonths } from './age-of-months.ts'
import { Reading } from './reading.server.ts'
import { understand, type Understanding } from './understand.server.ts'

type Facts = Record<string, string | number | boolean>
interface Message {
  kind: string
  text: string
  facts: Facts
}

const read = (name: string): Message[] =>
  readFileSync(join(import.meta.dirname, `corpus/${name}.jsonl`), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Message)

const kinds: Record<string, number> = { cattle: 1, goat: 2, sheep: 3, chicken: 4, dog: 5, horse: 6 }
const sexes = ['female', 'male', 'castrated', 'mixed']

/** The found facts in the form of the corpus. */
function factsIn(found: Understanding): Facts {
  const facts = {
    category: found.categoryId && Object.keys(kinds).find((kind) => kinds[kind] === found.categoryId!.value),
    breed: found.breedId && breeds.find(({ id }) => id === found.breedId!.value)!.en,
    sex: found.genderId && sexes[found.genderId.value],
    ageMonths: found.ageMonths?.value,
    teeth: found.teeth?.value,
    lactation: found.lactation?.value,
    milk: found.milkLitres?.value,
    pregnant: found.pregnant?.value,
    offspring: found.offspring?.value,
    stock: found.stock?.value,
    weightKg: found.weightKg?.value,
    color: found.colorId && colors.find(({ id }) => id === found.colorId!.value)!.en,
    price: found.price?.value,
    place: found.district?.value,
  }
  return Object.fromEntries(Object.entries(facts).filter((entry): entry is [string, string | number | true] => entry[1] !== undefined))
}

/** About twice what a text needs for each of its tokens. */
const MOST_LOOKS = 25

const all = (years: number, teeth: number, lactation: number, milk: number, price: number, weightKg: number): Facts => ({
  ageMonths: years * 12,
  teeth,
  lactation,
  milk,
  price,
  weightKg,
})

/** All found facts. Species, breed and sex count only when the row names them. */
const factsBeside = (text: string, named: Facts): Facts =>
  Object.fromEntries(
    Object.entries(factsIn(understand(text))).filter(([name]) => !['category', 'breed', 'sex'].includes(name) || name in named),
  )

/** The share of stated facts that are found, and the shares of found facts that are wrong or were never stated. */
function measure(messages: Message[]) {
  let [stated, found, given, wrong, invented] = [0, 0, 0, 0, 0]
  for (const { text, facts } of messages) {
    const understood = understand(text)
    const { hint } = understood
    const read: Facts = { ...factsIn(understood), ...(hint && hint !== 'lot' && { hint }) }
    stated += Object.keys(facts).length
    given += Object.keys(read).length
    for (const [name, value] of Object.entries(read)) {
      if (facts[name] === value) found += 1
      else if (facts[name] === undefined) invented += 1
      else wrong += 1
    }
  }
  return { found: found / stated, wrong: wrong / given, invented: invented / given, stated }
}

describe("facts in sellers' group messages", () => {
  test('nearly all are found in the messages used for development, and hardly any is invented', () => {
    const { found, wrong, invented, stated } = measure(read('open'))
    expect(stated).toBeGreaterThan(1000)
    expect(found).toBeGreaterThan(0.99)
    expect(wrong).toBeLessThan(0.002)
    expect(invented).toBeLessThan(0.002)
  })

  // Another person wrote these messages, and nobody looked at them during development. Keep it so; otherwise the measure is worthless.
  test('97 of 100 are found in the unseen messages, at most 1 of 100 wrong', () => {
    const { found, wrong, invented, stated } = measure(read('closed'))
    expect(stated).toBeGreaterThan(1700)
    expect(found).toBeGreaterThan(0.97)
    expect(wrong).toBeLessThan(0.01)
    expect(invented).toBeLessThan(0.005)
  })

  test('control: the measure detects a reader that finds nothing or too much', () => {
    const [message] = read('open')
    expect(measure([{ ...message!, text: 'வணக்கம்' }]).found).toBe(0)
    expect(measure([{ ...message!, facts: {} }]).invented).toBe(1)
  })
})

describe('of other animals and other money', () => {
  test.each<[string, Facts]>([
    ['Sold my other cow for 70000 last week. Jersey 2nd lactation 9 litres, quote 68000', { lactation: 2, milk: 9, price: 68_000 }],
    ['cow can be sold at 65000', { price: 65_000 }],
    ['6 month 22kg goat 14000, mother weight 55 kg, father weight 80 kg', { ageMonths: 6, weightKg: 22, price: 14_000 }],
    ['goat 14000, father 80 kg', { price: 14_000 }],
    ['cow 1st lact, gives 10 lit, feed cost 150 per day. Price fixed 58,500', { lactation: 1, milk: 10, price: 58_500 }],
    ['horse 2.75 lakhs, stable 4000 monthly', { price: 275_000 }],
    ['bull 4 years asking 1.6L', { ageMonths: 48, price: 160_000, sex: 'male' }],
    ['HF cow 12 L asking 1.1 L', { milk: 12, price: 110_000 }],
    ['kaalai 7 maalai 5 L pasu 65000', { milk: 12, price: 65_000 }],
    ['layer chicks 200 nos 55 rs each', { stock: 200, price: 55 }],
    ['won in jallikattu 2024, rate 1.25 lakh, bull 3 yrs', { price: 125_000, ageMonths: 36 }],
    ['goats vaccinated on 12.10.2026, rate 450/kg live weight', {}],
    ['நாட்டுக்கோழி முட்டை 30 ரூபாய், கோழி 450', { price: 450 }],
    ['buffalo 10 lit, dry fodder 5 kg daily, 95k', { milk: 10, price: 95_000 }],
    ['pasu 40 inch, 52000', { price: 52_000 }],
    ['goats age 8 to 10 months 6000', { ageMonths: 8, price: 6000 }],
    ['காளை 1.5 லட்சம், 3 மாதம் பழக்கம்', { price: 150_000 }],
    ['ஆடு மேய்க்க ஆள் தேவை, சம்பளம் 12000', {}],
    ['milk rate 34/l, cow 13 l, price 78000', { milk: 13, price: 78_000 }],
    ['white spot on forehead, brown cow 60000', { color: 'Brown', price: 60_000 }],
    ['bought from Pollachi, cow in Namakkal 70000', { price: 70_000, place: 'Namakkal' }],
    ['cow 3 l, with 2 month old calf, 42500', { milk: 3, offspring: 1, price: 42_500 }],
    ['more milk than HF, Sahiwal cow 9 lit', { milk: 9, breed: 'Sahiwal' }],
    ['HF pasu 2 eetru 72000', { lactation: 2, price: 72_000 }],
    ['cow, red 3 l', { milk: 3, color: 'Red' }],
    ['இது 4 ஆடு 30000', { stock: 4, price: 30_000 }],
    ['2 தாய் ஆடு 20000', { stock: 2, price: 20_000 }],
    ['பசு 6 பல் இன்று 3 மணிக்கு', { teeth: 6 }],
    ['chicks total 5500', {}],
    ['கிடா 30 கிலோ ரூ.13,500', { weightKg: 30, price: 13_500 }],
    ['cow .65 lakh', { price: 65_000 }],
    ['seval 900 , pettai 750', { price: 900 }],
    ['price drop 75k to 68k HF 2nd calf 13L', { price: 68_000, lactation: 2, milk: 13 }],
    ['cow price reduced 68000', { price: 68_000 }],
    ['milk 3 litre, 36,000 last, 33k no. Theni', { milk: 3, price: 36_000, place: 'Theni' }],
    ['cow 65000 no exchange', { price: 65_000 }],
    ['hens 4 nos, 18 eggs a month, 1800 each', { stock: 4, price: 1800 }],
    ['goat a year old 9000', { ageMonths: 12, price: 9000 }],
    ['ஆடு 2 வயசு 1 குட்டி போட்டது 16500', { ageMonths: 24, price: 16_500 }],
    ['broiler 500 birds 1.8 kg avg, 96 per kg', { stock: 500, weightKg: 1.8 }],
    ['20 peta 5 seval', { stock: 25, sex: 'mixed' }],
    ['cow 7 ltr, price 60, calf', { milk: 7, offspring: 1 }],
  ])('%s', (text, facts) => expect(factsBeside(text, facts)).toEqual(facts))
})

describe('a number beside another event is no fact of the animal', () => {
  test.each<[string, Facts]>([
    ['HF cow dry for 2 months 50000', { price: 50_000 }],
    ['cow insured for 1 year 60000', { price: 60_000 }],
    ['cow 5 months milking 50000', { price: 50_000 }],
    ['next calving in 2 months 50000', { price: 50_000 }],
    ['2nd lactation 3 months milk 10', { lactation: 2, milk: 10 }],
    ['AI 3 months confirmed', {}],
    ['10 வருட அனுபவம்', {}],
    ['வாங்கி 2 வருடம் ஆகிறது', {}],
    ['பால் வற்றி 2 மாதம்', {}],
    ['call between 9 am and 8 pm cow 50000', { price: 50_000 }],
    ['காலை 9 மணி முதல் மாலை 6 மணி வரை அழைக்கவும்', {}],
    ['காலை 9 முதல் மாலை 6 வரை போன் செய்யவும் பசு 50000', { price: 50_000 }],
    ['6 litres in the morning and 5 in evening', { milk: 11 }],
    ['calf drinks 2 litre', {}],
    ['heifer mother milk 15 litre', {}],
    ['mother cow 10 litre with calf', { milk: 10, offspring: 1 }],
    ['feed 5 kg per day cow 50000', { price: 50_000 }],
    ['கறி 15 கிலோ வரும்', {}],
    ['goat will give 2 kids every time', {}],
    ['போன தடவை 2 குட்டி', {}],
    ['transport charge 1500', {}],
    ['token 1000', {}],
    ['5000 members group goat 9000', { price: 9000 }],
    ['registration no 4567 dog 20000', { price: 20_000 }],
    ['shop price 15000 our price 12000', { price: 12_000 }],
    ['reduced from 50000 to 45000', { price: 45_000 }],
    ['50000 illa 45000', { price: 45_000 }],
    ['40k worth, selling 35k', { price: 35_000 }],
  ])('%s', (text, facts) => expect(factsBeside(text, facts)).toEqual(facts))
})

describe('pregnant', () => {
  test.each(['7 month pregnent cow', '6 mon preg', '7 மாசம் கர்ப்பம்', 'cow 5 months in calf', 'chinai maadu 7 matham', 'சினை கன்று இல்லை'])(
    '%s: now, and the months are not the age',
    (text) => expect(factsBeside(text, {})).toEqual({ pregnant: true }),
  )

  test.each(['cow not yet pregnant', 'சினை பிடிக்கல', 'சினை உறுதி இல்லை', 'maybe pregnant', 'சினையாக இருக்கலாம்', 'can become pregnant'])(
    '%s: not said',
    (text) => expect(factsBeside(text, {})).toEqual({}),
  )
})

describe('a number belongs to the word of its own row', () => {
  test.each<[string, Facts]>([
    ['price 45000 age 3', { ageMonths: 36, price: 45_000 }],
    ['பசு விலை 45000\nவயது 3', { ageMonths: 36, price: 45_000 }],
    ['teeth 4\nage 3', { ageMonths: 36, teeth: 4 }],
    ['milk 10\nage 3', { ageMonths: 36, milk: 10 }],
    ['lactation 2\nage 5', { ageMonths: 60, lactation: 2 }],
    ['age 3 teeth 4 lactation 2 milk 10 price 45000 weight 300', all(3, 4, 2, 10, 45_000, 300)],
    ['வயது 3 பல் 4 ஈத்து 2 பால் 10 விலை 45000 எடை 300', all(3, 4, 2, 10, 45_000, 300)],
    ['Age: 3\nTeeth: 4\nLactation: 2\nMilk: 10\nPrice: 45000\nWeight: 300 kg', all(3, 4, 2, 10, 45_000, 300)],
    ['3 வயது, 4 பல், 2 ஈத்து, 10 லிட்டர், 45000 ரூபாய், 300 கிலோ', all(3, 4, 2, 10, 45_000, 300)],
    ['4 teeth 2 lactation 10 litre 3 years 45000', { ageMonths: 36, teeth: 4, lactation: 2, milk: 10, price: 45_000 }],
    ['12 லிட்டர் பால் 2 பல் 3 வயது விலை 45000', { ageMonths: 36, teeth: 2, milk: 12, price: 45_000 }],
    ['good milk 2 teeth 10 litre', { teeth: 2, milk: 10 }],
    ['weight 25 price 900', { weightKg: 25, price: 900 }],
    ['teeth 2 age 1.5 years weight 40 price 20000', { teeth: 2, ageMonths: 18, weightKg: 40, price: 20_000 }],
    ['25 kg 400 rs per kg', { weightKg: 25 }],
    ['wt 25 kg 9500', { weightKg: 25, price: 9500 }],
    ['no 2 pal 8500', { teeth: 2, price: 8500 }],
    ['விலை ஒருலட்சம்', { price: 100_000 }],
    ['3rd lactation milk 15 age 6 price 75,000', { lactation: 3, milk: 15, ageMonths: 72, price: 75_000 }],
    ['2வது ஈத்து பால் 12 வயது 4', { lactation: 2, milk: 12, ageMonths: 48 }],
    ['கிர் பசு 3 ஈத்து பால் 8 வயது 6', { breed: 'Gir', lactation: 3, milk: 8, ageMonths: 72 }],
    ['2 பல் பால் 10 வயது 3', { teeth: 2, milk: 10, ageMonths: 36 }],
    ['cow 2 teeth milk 8 age 3', { teeth: 2, milk: 8, ageMonths: 36 }],
    ['3 years milk 10 teeth 4', { ageMonths: 36, milk: 10, teeth: 4 }],
    ['goat 1 year weight 25 price 9500', { ageMonths: 12, weightKg: 25, price: 9500 }],
    ['45000 milk 10 age 3', { price: 45_000, milk: 10, ageMonths: 36 }],
    ['puppy 1 price 900', { price: 900 }],
    ['நாய் குட்டி 1 விலை 900', { price: 900 }],
    ['நாய்க்குட்டி 2 விலை 800', { stock: 2, price: 800 }],
    ['lot of 5 price 900', { price: 900 }],
    ['45000 rs 2 teeth', { price: 45_000, teeth: 2 }],
    ['goat 35 kg live weight 450', { weightKg: 35 }],
    ['Goat 25 kg live weight 450', { weightKg: 25 }],
    ['goat live weight 35 kg 9500', { weightKg: 35, price: 9500 }],
    ['rate 65 age 3', { ageMonths: 36 }],
    ['milk 5+5 age 3', { milk: 10, ageMonths: 36 }],
    ['milk 6+5', { milk: 11 }],
    ['காலை 5 lr ஈவினிங் 4 lr', { milk: 9 }],
    ['8 ltr morning 6.5 ltr evening', { milk: 14.5 }],
    ['நேரத்துக்கு 4 லிட்டர் இரண்டு நேரமும்', { milk: 8 }],
    ['oru varusam 3 masam 8000', { ageMonths: 15, price: 8000 }],
    ['second ஈத்து 55000', { lactation: 2, price: 55_000 }],
    ['2m eethu 8 litre', { lactation: 2, milk: 8 }],
    ['cinai 5 masam', { pregnant: true }],
    ['3 months carrying', { pregnant: true }],
    ['கிலோ 450 ரூபாய் எடை 30', { weightKg: 30 }],
    ['price 13500 kg 30', { price: 13_500, weightKg: 30 }],
    ['bought 2 years back 45000', { price: 45_000 }],
    ['last calving 2 months back', {}],
    ['was giving 15 litre now 10 litre', { milk: 10 }],
    ['ap 2 pal 8500', { teeth: 2, price: 8500 }],
    ['tn 3 yr 4500', { ageMonths: 36, price: 4500 }],
    ['ts 4 pal 9500', { teeth: 4, price: 9500 }],
    ['py 10 kg 4500', { weightKg: 10, price: 4500 }],
  ])('%s', (text, facts) => {
    expect(factsBeside(text, facts)).toEqual(facts)
  })
})

test.each(['rs 1 ', 'age 3 ', '4500 rs ', 'pal 2 ', 'விலை 45000 வயது 3 ', 'cow 45000\n', '1-2-'])(
  'the longest message of "%s" takes time in proportion to its length',
  (part) => {
    const text = part.repeat(3000).slice(0, 3000)
    const looks = [vi.spyOn(Reading.prototype, 'isUnit'), vi.spyOn(Reading.prototype, 'isNumber')]
    understand(text)
    // A search of the whole row behind each number made hundreds of looks at each token.
    const count = looks.reduce((sum, { mock }) => sum + mock.calls.length, 0)
    expect(count / new Reading(text).tokens.length).toBeLessThan(MOST_LOOKS)
  },
)

test.each<[string, Facts]>([
  ['TN 33 AB 1234 vehicle available, cow 45000', { price: 45_000 }],
  ['tag 100234567890 cow 45000', { price: 45_000 }],
  ['tag 1002 3456 7890 cow 45000', { price: 45_000 }],
  ['advance 5000 price 45000', { price: 45_000 }],
  ['price 45000 advance 5000', { price: 45_000 }],
  ['transport 2000, cow 45000', { price: 45_000 }],
  ['cow 45000 transport extra', { price: 45_000 }],
  ['insurance 60000 cow price 45000', { price: 45_000 }],
  ['bought for 50000 selling 45000', { price: 45_000 }],
  ['வாங்கின விலை 50000 விற்பனை விலை 45000', { price: 45_000 }],
  ['42000க்கு கேட்டாங்க விலை 45000', { price: 45_000 }],
  ['was 50000 now 45000', { price: 45_000 }],
  ['முன்பு 50000 இப்போது 45000', { price: 45_000 }],
  ['cow 50000 final 45000', { price: 45_000 }],
  ['price 50000 last 45000', { price: 45_000 }],
  ['no advance. price 45000', { price: 45_000 }],
  ['4 years old 45000', { ageMonths: 48, price: 45_000 }],
  ['2nd delivery 45000', { price: 45_000 }],
  ['offered price 45000', { price: 45_000 }],
  ['goat 35 kg live weight 450 per kg', { weightKg: 35 }],
  ['with transport 45000', { price: 45_000 }],
  ['including transport 45000', { price: 45_000 }],
  ['price with transport 45000', { price: 45_000 }],
  ['own transport price 45000', { price: 45_000 }],
  ['no transport price 45000', { price: 45_000 }],
  ['with insurance price 45000', { price: 45_000 }],
  ['no advance price 45000', { price: 45_000 }],
  ['2000 transport price 45000', { price: 45_000 }],
  ['price 45000 advance must', { price: 45_000 }],
  ['price 45000 advance booking', { price: 45_000 }],
  ['45000 advance', { price: 45_000 }],
  ['விலை 45000 அட்வான்ஸ் வேண்டும்', { price: 45_000 }],
  ['விலை 45000 முன்பணம் தேவை', { price: 45_000 }],
  ['price was 45000', { price: 45_000 }],
  ['ஈன்றது 10 நாள் முன்பு விலை 45000', { price: 45_000 }],
  ['கன்று போட்டு 1 மாதம் முன்பு விலை 45000', { price: 45_000 }],
  ['கன்று ஈன்று 2 மாதம் முன்பு 45000 ரூபாய்', { price: 45_000 }],
  ['price 50000 last price 45000', { price: 45_000 }],
  ['விலை 50000 கடைசி விலை 45000', { price: 45_000 }],
  ['rate 50000 final rate 45000', { price: 45_000 }],
  ['40000க்கு கேட்டாங்க 45000 ஆனால் தருகிறேன்', { price: 45_000 }],
  ['offered 40000 price 45000', { price: 45_000 }],
  ['people asked 40000 I want 45000', { price: 45_000 }],
  ['வாங்கினேன் 40000 விலை 45000', { price: 45_000 }],
  ['insured 50000 price 45000', { price: 45_000 }],
  ['tag no 12345 cow 45000', { price: 45_000 }],
  ['ear tag 1234 cow 45000', { price: 45_000 }],
  ['காது எண் 12345 விலை 45000', { price: 45_000 }],
  ['aadhaar 1234 5678 9012 cow 45000', { price: 45_000 }],
  ['vintage cow 45000', { price: 45_000 }],
  ['tn 33 ab 1234 vehicle available, cow 45000', { price: 45_000 }],
  ['advance 2000', {}],
  ['insurance 50000', {}],
  ['price 4500 5000 5500', { price: 4500 }],
  ['goats 4500-5000-5500', { price: 4500 }],
  ['rates:\n4500\n5000\n6000', { price: 4500 }],
])('reads no other money and no other number as the price: %s', (text, facts) => {
  expect(factsBeside(text, facts)).toEqual(facts)
})

describe('a message about more than one animal on sale', () => {
  const hintOf = (text: string) => understand(text).hint
  const two = 'Jersey cow 2nd lactation\nmilk 10\nprice 45000\nMurrah buffalo 3rd lactation\nmilk 8\nprice 60000\ncall 9876543210'

  test('gives the facts and the text of the first alone, and says so', () => {
    expect(factsIn(understand(two))).toMatchObject({ breed: 'Jersey cross', lactation: 2, milk: 10, price: 45_000 })
    expect(understand(two).text).toBe('Jersey cow 2nd lactation\nmilk 10\nprice 45000')
    expect(hintOf(two)).toBe('several')
    expect(hintOf('பசு 45000\nஎருமை 60000')).toBe('several')
  })

  test.each(['Cow 45000 final\nBuffalo 60000 final', 'பசு கடைசி விலை 45000\nஎருமை கடைசி விலை 60000', 'Cow 45000 now\nBuffalo 60000 now'])(
    'reads the first of two last prices: %s',
    (text) => {
      expect(understand(text).hint).toBe('several')
      expect(factsIn(understand(text)).price).toBe(45_000)
    },
  )

  test.each<[string, Facts]>([
    ['HF cow 65000, Jersey heifer 30000, Erode', { sex: 'female', price: 65_000, place: 'Erode' }],
    ['boer kida 16000 ; boer pettai 12000 ; omalur', { sex: 'male', price: 16_000, place: 'Salem' }],
    ['முர்ரா எருமை 115000 / நாட்டு எருமை 52000. திண்டிவனம்', { price: 115_000, place: 'Viluppuram' }],
    ['Marwari mare 5 yrs 1.8 lakh. Kathiawari stallion 4 yrs 2 lakh', { breed: 'Marwari', ageMonths: 60, price: 180_000 }],
  ])('reads the first of several in one line: %s', (text, facts) => {
    expect(hintOf(text)).toBe('several')
    expect(factsIn(understand(text))).toMatchObject(facts)
  })

  test.each(['HF cow 65000, 2nd lactation, good cow', 'Goat 9000, female, 20 kg', 'cow 50000, last 45000, good cow'])(
    'finds one animal in a line with commas: %s',
    (text) => expect(hintOf(text)).toBeUndefined(),
  )

  test.each<[string, number | undefined]>([
    ['20 குட்டி மொத்தமா 84,000', 20],
    ['காங்கேயம் எருது ஜோடி விலை 1,40,000', 2],
    ['இரண்டு ஜோடி ஜோடி 60 ஆயிரம்', 4],
    ['bullocks 85,000 for both', 2],
    ['40 sheep lot price 3.2 lakhs', 40],
    ['10 ஆடு எல்லாம் சேர்த்து 60000', 10],
  ])('takes no price of several together for that of one: %s', (text, stock) => {
    const { hint, price, stock: number } = understand(text)
    expect([hint, price, number?.value]).toEqual(['lot', undefined, stock])
  })

  test.each(['25 pettai onnu 8500 mothama edukanum', 'மொத்தம் 15 ஆடு ஒன்று 9000', 'எருது ஜோடி ஆறு பல் விலை 90000'])(
    'keeps the price of one: %s',
    (text) => expect([understand(text).hint, understand(text).price?.value]).toEqual([undefined, expect.any(Number)]),
  )

  test.each(['Jersey cow 45000\nHF cow 65000\nPlace: Erode', 'Jersey cow\nprice 45000\nHF cow\nmilk 9\nprice 65000\nPlace: Erode'])(
    'keeps the place at the end: %s',
    (text) => {
      expect(hintOf(text)).toBe('several')
      expect(factsBeside(text, { breed: '' })).toEqual({ breed: 'Jersey cross', price: 45_000, place: 'Erode' })
    },
  )

  test.each<[string, Facts]>([
    ['பசு விலை 45000\nபசு மிகவும் சாதுவானது\nஇடம் 638701 ஈரோடு', { price: 45_000, place: 'Tiruppur' }],
    ['Cow for sale\nPrice 45000\nGood cow gives 10 litres\nNear Gobi 638452', { price: 45_000, milk: 10, place: 'Erode' }],
    ['HF cow price 65000\nHF cow with good milk 15 litres\nPrice 65000 negotiable', { price: 65_000, milk: 15 }],
    ['HF cow 45000\nJersey cow sold\npin 638452', { price: 45_000, place: 'Erode' }],
    ...[
      'Good cow\nFeed cost 6000 monthly',
      'Good cow won 10000 prize',
      'Good cow loan 50000',
      'This cow id 12345',
      'Good cow\nwww.farm.in/p/45678',
      'Good cow\nTN 33 AB 1234 vehicle ok',
      'Good cow tag 12345',
      'Good cow, last 45000',
      'total cows 90000',
    ].map((lines): [string, Facts] => [`Cow 45000\n${lines}`, { price: 45_000 }]),
  ])('keeps all lines about one animal: %s', (text, facts) => {
    expect(hintOf(text)).toBeUndefined()
    expect(factsBeside(text, facts)).toEqual(facts)
  })

  test('a calf, a last price or praise makes no second animal', () => {
    for (const text of [
      'Cow with calf\nprice 45000\nlast 42000',
      'price 45000\nJersey cow\nlast 42000',
      'Cow\nprice 45000\nGood cow, last 42000',
      'price 45000\nGood cow for any farm',
      'Cow 45000\nwith female calf',
      'Goat 9000',
    ])
      expect(hintOf(text), text).toBeUndefined()
  })

  test('says that a wish to buy belongs on the wanted board', () => {
    for (const text of [
      'Wanted murrah buffalo budget 80000',
      'எருமை வேண்டும் 80000க்குள்',
      'need 10 goats erode',
      'buying murrah buffalo',
      'looking for HF cow',
      'பசு வாங்கணும்',
      'HF cow required',
      'நாய் குட்டி யாரிடமாவது இருக்கா வாங்கிக்கிறேன்',
      'aseel seval venumga',
    ])
      expect(hintOf(text), text).toBe('wanted')
    // A budget is no price.
    expect(understand('Wanted murrah buffalo budget 80000').price).toBeUndefined()
  })

  test.each([
    'பசு விற்க வேண்டும் 45000',
    'I want to sell my cow 45000',
    'எனக்கு 45000 வேணும்',
    'பசு 45000 வேண்டும்',
    'பணம் தேவை பசு 45000',
    'urgent money need cow 45000',
    'no feed required, goat 8000',
    'vaccine not required',
    'if you want call me, goat 9000',
    'பசு வேண்டும் என்றால் சொல்லுங்க 45000',
    'பசு தேவை என்றால் அழைக்கவும்',
    'பசு வேண்டும் என்பவர்கள் அழைக்கவும்',
    'Need good home for puppy',
    'விலை 45000 அட்வான்ஸ் வேண்டும்',
  ])('sees no wish to buy in what a seller writes: %s', (text) => {
    expect(hintOf(text)).toBeUndefined()
  })
})

test('each fact comes with the words of the message that state it', () => {
  const text = 'ஜெர்சி பசு 2வது ஈத்து 12 லிட்டர் கன்றுடன் விலை 65000 சேலம்'
  const { text: _text, hint: _hint, ...facts } = understand(text)
  for (const { words } of Object.values(facts)) expect(text).toContain(words)
  expect(facts.lactation).toEqual({ value: 2, words: '2வது ஈத்து' })
})

describe('the public text', () => {
  test.each([
    ['Jersey cow 65000 call 90000 00001', 'Jersey cow 65000'],
    ['பசு விலை 40000\nபோன்: 9000000002', 'பசு விலை 40000'],
    ['Boer kida 📞+91-9000000003 Erode', 'Boer kida 📞 Erode'],
    ['Asil 🐓🐓🐓 3000 https://wa.me/919000000004', 'Asil 3000'],
  ])('has no phone number and no link: %s', (message, shown) => {
    expect(understand(message).text).toBe(shown)
  })

  test('many words for calling take no more time than others', () => {
    const textOf = (word: string) => `${word.repeat(900)}x 9876543210`
    expect(understand(textOf('no ')).text).toContain('no x')
    expect(workOf(() => understand(textOf('no ')))).toBeLessThan(4 * workOf(() => understand(textOf('go '))))
  })

  test('keeps figures that are no phone numbers', () => {
    for (const text of ['Price 1,30,000', 'விலை 65000 பின்கோடு 636001', '12 லிட்டர் 2 ஈத்து']) expect(understand(text).text).toBe(text)
  })
})

test('nonsense, empty and very long texts cause no error', () => {
  for (const text of ['', '🐄', '\u0000\uD800', '9'.repeat(3000), 'மாடு '.repeat(600), '((((', '1.1.1.1 ½½ -- ₹₹'])
    expect(() => understand(text), text.slice(0, 20)).not.toThrow()
})

test('an age in months maps to an age band', () => {
  expect([0, 2, 3, 11, 12, 23, 24, 59, 60, 84, 130].map(ageOfMonths)).toEqual([1, 1, 2, 4, 5, 5, 6, 8, 9, 10, 11])
  expect(categories.some(({ id }) => id === kinds.horse)).toBe(true)
})
