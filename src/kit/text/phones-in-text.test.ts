import { describe, expect, test } from 'vitest'
import { workOf } from '#tools/test-kit/work-of.ts'
import { hidePhones, phonesIn, replacePhones } from './phones-in-text.ts'
import { multiLine, plainDigits } from './plain-text.ts'

const shown = (text: string) => replacePhones(plainDigits(multiLine(text)), '☎')

const numbers = [
  '9876543210', '98765 43210', '98765-43210', '98765.43210', '98765/43210', '98765 - 43210', '9876 543 210', '987 654 3210', '987-654-3210',
  '(987) 654-3210', '9876 543210', '987654 3210', '98 76 54 32 10', '98-76-54-32-10', '9 8 7 6 5 4 3 2 1 0', '9.8.7.6.5.4.3.2.1.0',
  '9/8/7/6/5/4/3/2/1/0', '9-8-7-6-5-4-3-2-1-0', '9_8_7_6_5_4_3_2_1_0', '98765,43210', "98765'43210", '98765*43210', '98765•43210',
  '09876543210', '098765 43210', '0 98765 43210', '919876543210', '+919876543210', '+91 98765 43210', '+91-98765-43210', '+91-9876543210',
  '91 98765 43210', '(+91) 98765 43210', '+91 (98765) 43210', '00919876543210', '0091 98765 43210', '+91 987 654 3210', '+91.98765.43210',
  '௯௮௭௬௫௪௩௨௧௦', '९८७६५४३२१०', '৯৮৭৬৫৪৩২১০', '੯੮੭੬੫੪੩੨੧੦', '૯૮૭૬૫૪૩૨૧૦', '୯୮୭୬୫୪୩୨୧୦', '౯౮౭౬౫౪౩౨౧౦', '೯೮೭೬೫೪೩೨೧೦',
  '൯൮൭൬൫൪൩൨൧൦', '۹۸۷۶۵۴۳۲۱۰', '９８７６５４３２１０', '𝟗𝟖𝟕𝟔𝟓𝟒𝟑𝟐𝟏𝟎', '⑨⑧⑦⑥⑤④③②①⓪', '⁹⁸⁷⁶⁵⁴³²¹⁰', '9️⃣8️⃣7️⃣6️⃣5️⃣4️⃣3️⃣2️⃣1️⃣0️⃣', '9⃣ 8⃣ 7⃣ 6⃣ 5⃣ 4⃣ 3⃣ 2⃣ 1⃣ 0⃣',
  '\u202a98765\u202c\u200b43210', '9876௫௪௩௨௧௦', 'nine eight seven six five four three two one zero', 'Nine Eight 7 6 5 four 3 2 one 0',
  'nine eight double seven six five four three two one', 'ஒன்பது எட்டு ஏழு ஆறு ஐந்து நான்கு மூன்று இரண்டு ஒன்று பூஜ்யம்', '85000 98765 43210',
] // oxfmt-ignore

test.each(numbers)('%s is a phone number', (number) => {
  const price = number.startsWith('85000') ? '85000 ' : ''
  expect(shown(`விலை ${number} சேலம்`)).toBe(`விலை ${price}☎ சேலம்`)
  expect(shown(`Call:${number}`)).toMatch(/☎$/)
})

/** Further writings, by kind. */
const more: Record<string, string[]> = {
  'two halves with a sign between them': [
    '98765~43210', '98765—43210', '98765|43210', '98765...43210', '98765__43210', '98765:43210', '98765;43210', '98765=43210', '98765#43210',
    '98765\\43210', '98765&43210', '98765x43210', '98765✆43210', '98765→43210', '98765$43210', '98765 and 43210', '98765 மற்றும் 43210', '98765 (Mani) 43210',
  ],
  'a country code': ['+91-987-654-3210', '+91 98 76 54 32 10', '+(91) 9876543210', '+91/9876543210', '+91 (0) 98765 43210', '+91 0 9876543210', '0-9876543210'],
  'groups in order': ['7 123 456 789', '+91 789 890 1234'],
  'unusual groups': ['9876 54 3210', '987 65 43210', '987 654 321 0', '9 876 543 210', '98 7654 3210', '98-765-43210'],
  'words and letters': [
    'onbathu ettu ezhu aaru anju naalu moonu rendu onnu poojyam', 'nine8seven6five4three2one0', 'Nine, eight, seven, six, five, four, three, two, one, zero',
    'double nine eight double seven six five four three two', 'டபுள் ஒன்பது எட்டு ஏழு ஆறு ஐந்து நாலு மூணு ரெண்டு ஒண்ணு', '987654321O',
    'ஒன்பது எட்டு 7 6 5 நாலு மூணு ரெண்டு ஒண்ணு பூஜ்ஜியம்',
  ],
  'English digits in Tamil letters': ['நைன் எயிட் செவன் சிக்ஸ் ஃபைவ் ஃபோர் த்ரீ டூ ஒன் ஜீரோ', 'நைன் 8 7 6 5 ஃபோர் த்ரீ டூ ஒன் ஜீரோ'],
  'tens in words': ['ninety eight seventy six fifty four thirty two ten', 'தொண்ணூற்றெட்டு எழுபத்தாறு ஐம்பத்து நான்கு முப்பத்து இரண்டு பத்து'],
  'signs that change': ['9 8 7 6 5 - 4 3 2 1 0', '98765 x 43210'],
  'two lines': ['98765\n43210', '98765 \n 43210', '98765-\n43210', '98765,\n43210', '98765\n-43210', '98765\n\n43210'],
  'three lines and more': ['987\n654\n3210', '9876\n543\n210', '987-\n654-\n3210', '987 654\n3210', '+91\n987\n654\n3210', '9\n8\n7\n6\n5\n4\n3\n2\n1\n0'],
  'letters that look like digits': ['9876S43210', '9B7654321O', '98l6543210', '987654I210', '98765 4Z210', '9876SO3210'],
  'Hindi words': ['nau aath saat chhe paanch char teen do ek shunya', 'नौ आठ सात छह पाँच चार तीन दो एक शून्य', '98765 char teen do ek shunya'],
  'a word between the halves': ['98765 then 43210', '98765 பிறகு 43210', '98765 dash 43210', '98765 [no space] 43210', '98765 (WhatsApp 43210'],
  'other zeros': ['ஒன்பது எட்டு ஏழு ஆறு ஐந்து நாலு மூணு ரெண்டு ஒண்ணு சுழியம்'],
  'marks that nobody sees': ['9\uFE0F8\uFE0F7\uFE0F6\uFE0F5\uFE0F4\uFE0F3\uFE0F2\uFE0F1\uFE0F0\uFE0F'],
  'commas': ['98,43,21,05,67', '9,876,543,210'],
  'a landline': ['04257 220123', '04257-220123', '(04257) 220123', '04257220123', '044 2345 6789', '0422-2345678', '044-23456789',
    '+91 424 2256789', '+91-424-2256789', '+91 44 2345 6789', '0091 424 2256789', '0424/2256789', '0424.2256789', '04294 22 33 44', '0424 225 67 89'],
  'another country': ['+971 50 123 4567', '+971501234567', '+1 (415) 555-0123', '+65 9123 4567', '+94-77-123-4567', '00971501234567'],
  'digits like prices': ['98750 43200', '9876500 950'],
} // oxfmt-ignore
const moreNumbers = Object.entries(more).flatMap(([kind, texts]) => texts.map((text) => [kind, text]))

test.each(moreNumbers)('%s: %s is a phone number', (_, number) => {
  expect(shown(`விலை ${number} சேலம்`)).toBe('விலை ☎ சேலம்')
})

test.each([
  'Salem TN ☎', 'TN-☎', 'ka ☎', 'KL: ☎', 'near ☎', 'year ☎', 'clear: ☎', 'பின்பு அழைக்க ☎', 'பின்னர் அழைக்க: ☎', 'Shipping call ☎', 'Opinion: ☎', 'pin ☎',
])('words before a number do not hide it: %s', (text) => {
  for (const number of ['98765 43210', '9876543210', '919876543210', '987654 3210'])
    expect(shown(text.replace('☎', number)), number).toBe(text)
}) // oxfmt-ignore

test.each([
  '+91 ☎', '0 ☎', 'call ☎', 'Call: ☎', 'phone ☎', 'Mobile no. ☎', 'WhatsApp - ☎', '📞 ☎', 'போன் ☎', 'செல்: ☎', 'தொடர்புக்கு ☎', 'அழைக்கவும்: ☎',
])('two halves like prices are one number behind a word or a code: %s', (text) => {
  for (const number of ['98750 95000', '98700-65000', '75000 85000'])
    expect(shown(text.replace('☎', number))).toBe(text.replace(/^(\+91|0) /, ''))
}) // oxfmt-ignore

test.each(['2256789', '225 6789', '225-67-89', '2345 6789', '23456789', '220123'])('behind a word, %s is a landline', (number) => {
  for (const text of ['Ph: ☎', 'phone ☎ 65000', 'Tel. ☎', 'land line no ☎', 'தொலைபேசி எண்: ☎', 'call ☎, 4 பல்'])
    expect(shown(text.replace('☎', number))).toBe(text)
  expect(shown(`graph ${number}`)).toBe(`graph ${number}`)
})

test('two letters of a state and groups of a number are no vehicle', () => expect(shown('ap 98 7654 3210')).toBe('ap ☎'))

const others: Record<string, string[]> = {
  'a range of prices': [
    '65000-67250', '65000/67250', '65000 67250', '67250-65000', '64999-69999', '65000+67250', '62500-67500', '65 000 67 250', '65.000 - 67.250',
    '60000-65000-70000', '8+7 65000 9000', '8 65000 9000', 'phone 2500 3000', 'call 250000',
  ],
  'prices with a word or a sign': ['65000 and 67250', '65000 (last) 67250', '65000$67250', '98765 kg and 65000'],
  'several prices': ['weight 91, 65000-67250', 'teeth 0, 65000-67250', '650 700 750 8', '650/700/750/800', '700 750 8000', '650-700-7500'],
  'ages and weights': ['65 70 75 80 85', '60 65 70 75 80 85', '6 7 8 9 10 11 12', '8/9/10/11/12/13', '90 95 100 105', '6.30 8.30 10.30'],
  'a PIN code': ['636001 8750', '8750 636001', '636 001 9500', 'பின் 636001 9876', 'PIN: 689101 1234'],
  'not a landline': ['07-08-26 65000', '0-1-2-3', '02.30 65000 6500', '05 65000 67250', '+5000 kg', '98, 43, 21, 65, 67'],
  'lines of a list': ['650\n700\n7500', '65\n72\n80\n91\n84', '68400\n312\n14', '6500\n650000', '91\n65000\n67250', '8L10\n9L12\n8500'],
  dates: ['12.11.2026-13.11.2026', '7.11.2026-8.11.2026', '7-11-2026 - 8-11-2026', '9/11/26 8/11/26'],
  'an ear tag': ['Pashu Aadhaar 919876543210', 'ear no. 919876543210', 'காது எண் 9198 7654 3210', 'tag 91 98765 43210', 'Ear tag: 91-98765-43210', 'கம்மல் எண் 919876543210'],
  'a vehicle': ['TN 33 AB 1234', 'TN 67 AN 1234 650', 'TN-66-A-9876 85000', 'TN 67 1234 6500', '65 km 75 km 8500'],
} // oxfmt-ignore
const moreOthers = Object.entries(others).flatMap(([kind, texts]) => texts.map((text) => [kind, text]))

test.each(moreOthers)('%s: %s is no phone number', (_, text) => expect(shown(text!)).toBe(plainDigits(multiLine(text!))))

test('the further writings are many, half of them phone numbers', () => {
  expect([moreNumbers.length, moreOthers.length].map((length) => length >= 30)).toEqual([true, true])
})

test.each([
  '65000-70000', '65000 - 70000', '65000/70000', '65000 70000', '65,000-70,000', '65000 to 70000', '90,000', '9,50,000', '₹85,00,000', '85000/-', '60-65 ஆயிரம்',
  '85.000', '1,25,000.50', 'சேலம் 636001 9500', '9500 636001', 'பின்கோடு 636001', 'Ear tag 123456789012', 'tag 1234 5678 9012', 'Tag no: 919876543210',
  'tag 9187 6543 2109', '100123456789', '12-04-2026', '7/8/2026', '09-09-2026 85000', '350 கிலோ 65000', '320.50 kg', '8, 9, 10, 11, 12, 13',
  '6, 7, 8, 9, 10, 11, 12', '2 teeth 4 years 12 litres', 'COW-0009876543', '9876543210123456', '1876543210', '12345 67890', 'one two three', 'double milk',
  '6 மாத கன்று 8 லிட்டர் 65000', '7500x600x300', '80x60x40x30x20', '8 லிட்டர் காலை 7 மாலை 65000',
])('%s is none', (text) => expect(shown(text)).toBe(plainDigits(multiLine(text)))) // oxfmt-ignore

test('a landline or a foreign number behind a price leaves the price', () => {
  for (const number of ['+91 424 2256789', '+91-424-2256789', '0424 2256789', '+971 50 123 4567', '+94 77 123 4567'])
    expect(shown(`65000 ${number}`), number).toBe('65000 ☎')
})

test('two numbers, and numbers on lines of their own', () => {
  expect(shown('9876543210, 9876543211')).toBe('☎, ☎')
  expect(shown('9876543210/9876543211')).toBe('☎/☎')
  expect(shown('65000\n98765 43210\n70000')).toBe('65000\n☎\n70000')
})

describe('the work grows with the length of a text, not with its square', () => {
  const SHORT = 1000
  const TIMES = 64
  /** A square comes near TIMES. */
  const MOST = 4

  test('a list of long texts is read once', () => {
    const words = 'ஒன்பது எட்டு ஏழு ஆறு ஐந்து நான்கு மூன்று இரண்டு ஒன்று பூஜ்யம் '.repeat(30)
    const texts = Array.from({ length: 60 }, (_, n) => `${n} ${words}`)
    const hideAll = () => texts.map(hidePhones)
    const before = process.cpuUsage()
    const first = hideAll()
    const { user, system } = process.cpuUsage(before)
    expect(workOf(hideAll)).toBeLessThan((user + system) / MOST)
    expect(hideAll()).toEqual(first)
  })

  /** The work for a text `times` as long, divided by that for as many short ones. */
  function excess(search: (text: string) => unknown, part: string, times = TIMES): number {
    const short = part.repeat(SHORT / part.length)
    const forShort = workOf(() => {
      for (let n = 0; n < times; n += 1) search(short)
    })
    return workOf(() => void search(short.repeat(times))) / forShort
  }

  const parts = [
    '9', ' ', '-', '.', '9 ', '98765 ', '98765 43210 ', '9876543210 ', '9-8.7 6', '9 .-', '9\n', 'double ', '+(', 'tag 1234 5678 ', 'TN 33 ', '12.11.',
  ] // oxfmt-ignore
  test.each(parts)('for %j', (part) => expect(excess(phonesIn, part)).toBeLessThan(MOST))

  test('control: a loop in a loop, and a pattern that begins again at each blank', () => {
    const overlaps = (text: string) => {
      const chosen: number[] = []
      for (const { index } of text.matchAll(/\d+/g)) if (!chosen.some((other) => other === index)) chosen.push(index)
    }
    expect(excess(overlaps, '9876543210 ', 32)).toBeGreaterThan(MOST)
    expect(excess((text) => / +\+/.test(text), ' ', 16)).toBeGreaterThan(MOST)
  })
})

test('control: the pattern of plain digits misses most writings and takes a range of prices', () => {
  const plain = /(?<!\d)(?:\+?\s?91[\s.-]{0,2}|0)?[6-9]\d(?:[\s.-]?\d){8}(?!\d)/
  expect(numbers.filter((number) => !plain.test(number)).length).toBeGreaterThan(20)
  expect(plain.test('65000-70000')).toBe(true)
})

test('numbers are hidden in any digits, and a text without one stays as it is', () => {
  expect(hidePhones('அழைக்க: ௯௮௭௬௫ ௪௩௨௧௦, விலை 85000')).toBe('அழைக்க: xxxxx, விலை 85000')
  for (const text of ['விலை ௮௫௦௦௦, ௨ பற்கள்', '65000-70000', '']) expect(hidePhones(text)).toBe(text)
})

test.each(['9̶8̶7̶6̶5̶4̶3̶2̶1̶0̶', '9̲8̲7̲6̲5̲4̲3̲2̲1̲0̲'])('a struck or underlined number is hidden: %s', (number) =>
  expect(hidePhones(`விலை 8̶5̶0̶0̶0̶ 80000 ${number}`)).toBe('விலை 8̶5̶0̶0̶0̶ 80000 xxxxx'),
)
