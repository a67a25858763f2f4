import { describe, expect, test } from 'vitest'
import { understand } from './understand.server.ts'

const MESSAGE = 'ஜெர்சி பசு 2வது ஈத்து 12 லிட்டர் விலை 65000'

const headers = [
  '[4/11, 6:02 pm] Mani: ',
  '[4/11, 6:02\u202fpm] Mani: ',
  '[6:02 pm, 04/11/2026] Mani: ',
  '[18:02, 4/11/2026] Mani: ',
  '[பிற்பகல் 6:02, 4/11/2026] மணி: ',
  '4 Nov 2026, 18:02 - +91 98765 43210: ',
  'Mani, [4 Nov 2026 at 6:02:11 PM]\n',
  '[04/11/26, 6:02:33 PM] Mani Erode: ',
  '\u200e[04/11/26, 18:02:33] Mani: ',
  '[4/11/2026, 6:02 p.m.] ~Mani 🐄: ',
  '[04.11.26, 18:02] Mani: ',
  '[2026-11-04, 18:02:33] Mani: ',
  '[4/11, 6:02 பிற்பகல்] மணி: ',
  '[4/11, பிற்பகல் 6:02] மணி: ',
  '[௪/௧௧, ௬:௦௨ மாலை] மணி: ',
  '[4/11, 6:02 pm] +91 98765 43210: ',
  '[4/11, 6:02 pm] \u202a+91 98765 43210\u202c: ',
  '04/11/2026, 18:02 - Mani: ',
  '04/11/26, 6:02 pm - Mani 2 பண்ணை: ',
  '4/11/26, 6:02 AM – மணி: ',
  '4/11, 6:02 pm Mani: ',
  '4/11/26, 6:02 pm - +91 98765 43210: ',
  'Mani, [04.11.2026 18:02]\n',
  '[Yesterday, 6:02 pm] Mani: ',
  '[Today 6:02 pm] Mani: ',
  'நேற்று, 6:02 pm - மணி: ',
  '[புதன் 6:02 pm] மணி: ',
  '[4-Nov-2026 18:02] Mani: ',
  '[Nov 4, 2026, 6:02 PM] Mani: ',
  'Nov 4, 2026, 18:02 - Mani: ',
  '4. Nov 2026, 18:02 - Mani: ',
  'Mani, [Nov 4, 2026 at 6:02:11 PM]:\n',
  'மணி, [4 நவ. 2026, 18:02:11]:\n',
  '4 நவ., 6:02 pm - Mani: ',
  '4 நவம்பர் 2026, 18:02 - மணி: ',
]
const notes = [
  '<Media omitted>', '\u200eimage omitted', 'video omitted', '<படம் தவிர்க்கப்பட்டது>', 'படம் தவிர்க்கப்பட்டது', '<மீடியா தவிர்க்கப்பட்டது>',
  'This message was deleted', 'This message was deleted.', 'You deleted this message', 'இந்தச் செய்தி நீக்கப்பட்டது', 'Forwarded', '↪ Forwarded',
  'Forwarded many times', '_Forwarded as received_', 'முன்னனுப்பப்பட்டது', 'IMG-20261104-WA0012.jpg (file attached)', 'Missed voice call',
  '<attached: 00000012-PHOTO-2026-11-04.jpg>', 'IMG-20261104-WA0012.jpg', 'null', 'You deleted this message as admin', 'Forwarded from Salem Cattle Group', '[In reply to Mani]', 'பல முறை முன்னனுப்பப்பட்டது', '(edited)', 'திருத்தப்பட்டது',
  '<இந்தச் செய்தி திருத்தப்பட்டது>', 'வீடியோ சேர்க்கப்படவில்லை', 'IMG_4123.HEIC', 'படம்.jpg (கோப்பு இணைக்கப்பட்டுள்ளது)', '‹இணைக்கப்பட்டது: 0012-PHOTO.jpg›', 'Mani added you',
  'Missed group voice call', 'View once photo', '📷 Photo', '🎤 Voice message (0:32)', '> quoted old cow 50000', 'Waiting for this message. This may take a while.',
  'From: Mani <mani@example.in>', 'To: kavi@example.in, ravi@example.in', 'Date: Wed, 4 Nov 2026 18:02:33 +0530', 'Sent: 4 November 2026 18:02', '-----Original Message-----',
  '---------- Forwarded message ---------', 'Begin forwarded message:', 'On Wed, 4 Nov 2026 at 18:02, Mani <mani@example.in> wrote:', 'Sent from my iPhone',
] // oxfmt-ignore

/** The facts and the public text; the words from which a fact came may differ. */
const read = (message: string) =>
  Object.fromEntries(Object.entries(understand(message)).map(([name, fact]) => [name, typeof fact === 'string' ? fact : fact.value]))

describe('a copied chat', () => {
  test.each(headers)('its header %j is no fact and stays out of the public text', (header) => {
    expect(read(header + MESSAGE)).toEqual(read(MESSAGE))
    expect(read(`${header}பசு விற்பனைக்கு\n${header}${MESSAGE}`)).toEqual(read(`பசு விற்பனைக்கு\n${MESSAGE}`))
  })

  test.each(notes)('%j is left out', (note) => {
    expect(read(`${note}\n${MESSAGE}`)).toEqual(read(MESSAGE))
    expect(read(`[4/11, 6:02 pm] Mani: ${note}\n[4/11, 6:03 pm] Mani: ${MESSAGE}`)).toEqual(read(MESSAGE))
  })

  test.each(['பசு விலை: 65000', 'Cow price: 65000', 'maadu vilai: 65000'])('without brackets and a sender keeps its words: %s', (words) =>
    expect(read(`4/11, 6:02 pm ${words}`)).toEqual(read(words)),
  )

  test.each(['70000 → 65000', '70000→65000', '₹70,000 ➡️ ₹65,000', '70000❌ 65000✅', '<s>70000</s> 65000', '~70000~ 65000'])(
    'the price that %s replaces does not count',
    (prices) => expect(read(`பசு ${prices}`)).toMatchObject({ price: 65_000 }),
  )

  test('a sign at the beginning of every line quotes nothing', () => expect(read('> பசு\n> 65000')).toMatchObject({ price: 65_000 }))

  test('of notes alone is empty', () => expect(understand('[4/11, 6:02 pm] Mani: <Media omitted>').text).toBe(''))
})

test.each([
  ['பசு விலை ~85000~ 80000', 80_000],
  ['பசு விலை ~85,000~ *80,000*', 80_000],
  ['பசு ~விலை 85 ஆயிரம்~ விலை 80 ஆயிரம்', 80_000],
  ['பசு விலை ~~85000~~ 80000', 80_000],
  ['பசு விலை 8\u03365\u03360\u03360\u03360\u0336 80000', 80_000],
  ['பசு விலை 80~85 ஆயிரம்', 80_000],
  ['*பசு* _விலை_ *_80000_*', 80_000],
  ['𝗣𝗿𝗶𝗰𝗲 𝟴𝟬𝟬𝟬𝟬 𝑐𝑜𝑤', 80_000],
  ['```Price 80000 cow```', 80_000],
])('%j costs %d rupees', (message, price) => {
  expect(understand(message).price?.value).toBe(price)
  expect(understand(message).text).not.toMatch(/85,?000|[*_`]|\u0336/)
})

test.each([
  'பசு 4 பல் காலை 6:30 மாலை 5:30 கறவை',
  '12/4 பிறந்த கன்று: விலை 8000',
  '12/4 6:30 மணிக்கு பிறந்த கன்று: விலை 8000',
  '4/11 6.30 கறவை நேரம்: 12 லிட்டர்',
  'Forwarded by my brother: cow 65000',
  '2 பசு - விலை: 65000',
  'Image of the cow omitted on purpose',
  'a*b*c 5 * 6 * 7 x_y_z',
  'From: Erode, 2 cows',
  'Date: 4 months pregnant',
])('words of people stay: %s', (message) => expect(understand(message).text).toBe(message))
