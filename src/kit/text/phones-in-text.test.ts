import { expect, test } from 'vitest'
import { phonesIn, replacePhones } from './phones-in-text.ts'
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
] // prettier-ignore

test.each(numbers)('%s is a phone number', (number) => {
  const price = number.startsWith('85000') ? '85000 ' : ''
  expect(shown(`விலை ${number} சேலம்`)).toBe(`விலை ${price}☎ சேலம்`)
  expect(shown(`Call:${number}`)).toMatch(/☎$/)
})

test.each([
  '65000-70000', '65000 - 70000', '65000/70000', '65000 70000', '65,000-70,000', '65000 to 70000', '90,000', '9,50,000', '₹85,00,000', '85000/-', '60-65 ஆயிரம்',
  '85.000', '1,25,000.50', 'சேலம் 636001 9500', '9500 636001', 'பின்கோடு 636001', 'Ear tag 123456789012', 'tag 1234 5678 9012', 'Tag no: 919876543210',
  'tag 9187 6543 2109', '100123456789', '12-04-2026', '7/8/2026', '09-09-2026 85000', '350 கிலோ 65000', '320.50 kg', '8, 9, 10, 11, 12, 13',
  '6, 7, 8, 9, 10, 11, 12', '2 teeth 4 years 12 litres', 'COW-0009876543', '9876543210123456', '1876543210', '12345 67890', 'one two three', 'double milk',
  '6 மாத கன்று 8 லிட்டர் 65000', '8 லிட்டர் காலை 7 மாலை 65000',
])('%s is none', (text) => expect(shown(text)).toBe(plainDigits(multiLine(text)))) // prettier-ignore

test('two numbers, and numbers on lines of their own', () => {
  expect(shown('9876543210, 9876543211')).toBe('☎, ☎')
  expect(shown('9876543210/9876543211')).toBe('☎/☎')
  expect(shown('65000\n98765 43210\n70000')).toBe('65000\n☎\n70000')
})

test('long texts of digits end soon', () => {
  for (const text of ['9'.repeat(3000), '9 '.repeat(1500), '98765 '.repeat(500)]) expect(phonesIn(text).length).toBeLessThan(400)
})

test('control: the pattern of plain digits misses most writings and takes a range of prices', () => {
  const plain = /(?<!\d)(?:\+?\s?91[\s.-]{0,2}|0)?[6-9]\d(?:[\s.-]?\d){8}(?!\d)/
  expect(numbers.filter((number) => !plain.test(number)).length).toBeGreaterThan(20)
  expect(plain.test('65000-70000')).toBe(true)
})
