import { describe, expect, test } from 'vitest'
import { codeDigits, parsePincode, plainAccount, plainIfsc, plainPan, plainUpi, readPhone } from './readers.ts'

describe('a phone number is read', () => {
  test.each([
    '9876543210',
    '09876543210',
    '+91 98765 43210',
    '919876543210',
    '0091 98765-43210',
    '+91 (0) 98765 43210',
    '+91 91 98765 43210',
    '+91+919876543210',
    '91919876543210',
    '\u202a+91 98765 43210\u202c',
    '\u2068+919876543210\u2069',
    '\u2066+91 98765 43210\u2069',
    '\u200e98765\u200b43210\u200f',
    '98765\u00a043210',
    '98765\u202f43210',
    '98765\t43210',
    'tel:+919876543210',
    '98765/43210',
    '98765.43210',
    '98765–43210',
    '௯௮௭௬௫ ௪௩௨௧௦',
    '९८७६५ ४३२१०',
    '+౯౧ ౯౮౭౬౫ ౪౩౨౧౦',
    '۹۸۷۶۵۴۳۲۱۰',
    '９８７６５４３２１０',
    '𝟗𝟖𝟕𝟔𝟓𝟒𝟑𝟐𝟏𝟎',
    '9️⃣8️⃣7️⃣6️⃣5️⃣4️⃣3️⃣2️⃣1️⃣0️⃣',
    '9876543210\u0000',
    'https://wa.me/919876543210?text=Hello',
    'whatsapp://send?phone=919876543210',
    'sms:9876543210',
    '📞 98765 43210',
    'Ph: 98765-43210',
    'மணி 98765 43210',
    '98765 43210 (WhatsApp)',
    '98765 43210;',
    '98765_43210',
    '98765 • 43210',
    '98765,43210',
    '98765x43210',
    'Cell-9876543210',
    'M-9876543210',
    'Contact-98765 43210',
    '[4/11, 6:02 pm] Mani: 98765 43210',
    '[04/11/26, 18:02:11] மணி: +91 98765 43210',
  ])('%j', (typed) => expect(readPhone(typed)).toBe('+919876543210'))

  test('a number that begins like the country code keeps its digits', () => {
    for (const typed of ['9191919191', '+919191919191', '919191919191']) expect(readPhone(typed)).toBe('+919191919191')
  })

  test('numbers of other countries keep their code', () => {
    expect(readPhone('+447911123456')).toBe('+447911123456')
    expect(readPhone('00447911123456')).toBe('+447911123456')
    expect(readPhone('+909876543210')).toBe('+909876543210')
  })

  test.each([
    '',
    '98765',
    '+911234567890',
    '98765432101',
    'nine',
    '98765 43210 or 90000 00001',
    '98765 43210, 90000 00001',
    'Salem 636001 9876543210',
    'call 98765 now 43210',
    '+12345678901',
    '9876543210x',
    '9876543210x12',
    '+15551234567x89',
    '++919876543210',
    '+9876543210',
    '₹9876543210',
    'order SN-9876543210',
    '[98765] 43210',
    'Aadhaar 919876543210',
    'tag 919876543210',
  ])('%j is refused', (typed) => expect(readPhone(typed)).toBeNull())
})

describe('a PIN code is read', () => {
  test.each([
    '638701',
    ' 638 701 ',
    '638-701',
    '638–701',
    '638701ல்',
    '௬௩௮௭௦௧',
    '६३८७०१',
    '\u202a638701\u202c',
    'PIN: 638701',
    'Kangeyam 638701',
    'Erode - 638 701',
    'TN638701',
    'Erode638701',
    '638701TN',
    '638701Erode',
    '6 3 8 7 0 1',
  ])('%j', (typed) => expect(parsePincode(typed)).toBe('638701'))
  test.each(['', '63870', '6387011', '038701', 'ABCDEF', '638701 or 636001', '98765 432109', 'A638701', '6387.01'])(
    '%j is refused',
    (typed) => expect(parsePincode(typed)).toBeNull(),
  )
})

describe('a code is read', () => {
  test.each([
    '482913',
    ' 482 913 ',
    '482-913',
    '482913ஐ',
    '482,913',
    '4,8,2,9,1,3',
    '482913482913',
    '482913 482913',
    'OTP 482913ஐ',
    '௪௮௨௯௧௩',
    '𝟒𝟖𝟐𝟗𝟏𝟑',
    '\u200e482913\u200b',
    'Sandhai: 482913 is your OTP to register. Valid for 10 minutes. Do not share it with anyone. We never ask for it.\n@sandhai.in #482913',
    'சந்தை: பதிவு செய்ய உங்கள் OTP 482913. 10 நிமிடம் செல்லும்.\n@sandhai.in #482913',
    'OTP:482913',
    'Sandhai: 482913 is your OTP to log in. Ref 771204\n@sandhai.in #482913',
    // A field of one line leaves out the line end.
    'Sandhai: 482913 is your OTP to log in. Ref 771204@sandhai.in #482913',
  ])('%j', (typed) => expect(codeDigits(typed)).toBe('482913'))

  test('a recovery code of ten digits stays whole', () => expect(codeDigits('12345-67890')).toBe('1234567890'))
  test.each(['two codes 482913 and 482914', 'call 9876543210', '48291', '48291x', 'a482913'])('%j holds no code', (typed) =>
    expect(codeDigits(typed)).not.toMatch(/^\d{6}$/),
  )
})

test.each([
  ['abcde1234f', 'ABCDE1234F'],
  [' ABCDE 1234 F ', 'ABCDE1234F'],
  ['ABCDE-1234-F', 'ABCDE1234F'],
  ['\u202aABCDE1234F\u202c', 'ABCDE1234F'],
  ['ＡＢＣＤＥ１２３４Ｆ', 'ABCDE1234F'],
  ['𝐀𝐁𝐂𝐃𝐄𝟏𝟐𝟑𝟒𝐅', 'ABCDE1234F'],
  ['ABCDE௧௨௩௪F', 'ABCDE1234F'],
  ['PAN: ABCDE1234F', 'ABCDE1234F'],
  ['PANABCDE1234F', 'ABCDE1234F'],
  ['ABCDE–1234–F', 'ABCDE1234F'],
  ['ABCDE/1234/F', 'ABCDE1234F'],
  ['PAN : abcde 1234 f', 'ABCDE1234F'],
  ['XABCDE1234F', 'XABCDE1234F'],
  ['', ''],
])('the PAN in %j is %j', (typed, pan) => expect(plainPan(typed)).toBe(pan))

test.each([['001234567890', 'A/c no. 0012 3456-7890', 'கணக்கு எண் 001234567890'], ['SB001234567890']])(
  'the account %s is read',
  (account, ...texts) => {
    for (const text of [account, ...texts]) expect(plainAccount(text), text).toBe(account)
  },
)

test.each([
  'SBI A/C 3 - 001234567890',
  'acct: 12 001234567890',
  'Mani 98765 43210',
  '001234567890 / 009876543210',
  '1234-567-890123',
  '9 - 8',
])('nobody can say which account %j is, so it is refused', (text) => expect(plainAccount(text)).not.toMatch(/^\d*$/))

test.each([
  ['upi id mani@ybl', 'mani@ybl'],
  ['UPI: mani@ybl', 'mani@ybl'],
  ['My UPI is Mani.K@OkAxis.', 'mani.k@okaxis'],
  ['GPay 98765 43210@okaxis', '9876543210@okaxis'],
  ['PhonePe - mani@ybl', 'mani@ybl'],
  ['mani @ ybl', 'mani@ybl'],
  ['௯௮௭௬௫௪௩௨௧௦@ybl', '9876543210@ybl'],
  ['upi://pay?pn=Mani&pa=mani%2Dk@ybl&am=1', 'mani-k@ybl'],
  ['upi://pay?pa=mani%40ybl', 'mani@ybl'],
])('the UPI id in %j is %s', (text, id) => expect(plainUpi(text)).toBe(id))

test.each(['mani@ybl Mani', 'mani@okaxis Erode', 'ma ni@ybl', 'Erode mani@ybl', 'mani@ok axis', 'mani@ybl, kavi@ybl'])(
  '%j is not taken for another UPI id',
  (text) => expect(plainUpi(text)).toMatch(/\s/),
)

test.each([
  'sbin 000 1234',
  'SBINO001234',
  'IFSC SBIN0001234',
  'IFSC code SBINO001234',
  'SBIN0001234.',
  'IFSC: SBIN0001234',
  'IFSC Code - SBIN0001234',
])('%j is an IFSC', (text) => expect(plainIfsc(text)).toBe('SBIN0001234'))
