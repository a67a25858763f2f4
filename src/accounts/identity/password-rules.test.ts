import { describe, expect, test } from 'vitest'
import { isGuessable } from './password-rules.server.ts'

const person = { phone: '+919876543210', name: 'Selvi Murugesan' }

describe('an easily guessed password is refused', () => {
  test.each(['password', '12345678', 'qwertyuiop', 'iloveyou1', 'football', 'Trustno1', 'letmein1', 'abcd1234', 'jaishriram', 'omsairam'])(
    'as one of the most common: %s',
    (password) => expect(isGuessable(password, person)).toBe(true),
  )

  test.each([
    'Admin@123',
    'India@123',
    'jaisriram',
    'JaiShriRam@108',
    'krishna123',
    'Murugan@786',
    'Welcome@2024',
    'pass@1234',
    'P@ssw0rd!',
    'p455word99',
    'Tamil@1234',
    'chennai600',
    'sandhai123',
    'saibaba@9',
    'test@12345',
    'Om Sai Ram',
    'முருகன்12',
    'vanakkam',
    'Vanakkam1',
    'vetrivel',
    'VetriVel@2024',
    'kattabomman',
    'Veerapandiya@1799',
    'Kabali@123',
    'Padayappa1999',
    'thalaiva@007',
    'Kamarajar@1903',
    'வணக்கம்@123',
    'Kangeyam@123',
    'Ponni@123',
    'Umbalachery1',
    'Erumaimadu#2024',
    'kuthirai!!777',
    'காங்கேயம்@1234',
    'kangeyam',
    'tirunelveli',
    'dindigul',
    'erumaimadu',
    'swaminathan',
    '123@thanjavur',
    'Thiruvilaiyadal@123',
  ])('as a local pattern: %s', (password) => expect(isGuessable(password, person)).toBe(true))

  test.each(['asdfghjk', 'qwer@1234', 'zxcvbnm,', '1qaz2wsx', '87654321', 'lkjhgfdsa', 'aaaaaaaa', '11112222', 'abcdefgh1', 'qazwsxedc'])(
    'as a run of keys: %s',
    (password) => expect(isGuessable(password, person)).toBe(true),
  )

  test.each([
    '9876543210',
    '+919876543210',
    '98765 43210',
    '0123456789',
    'my9876543210',
    '9443012345',
    'ab+919443012345',
    '15-08-1947',
    '04082637',
    'selvi@123',
    'Murugesan1',
    'selvi9876',
  ])("as a number, or the person's own name: %s", (password) => expect(isGuessable(password, person)).toBe(true))
})

test.each([
  'காளை மாடு ஏழு',
  'வெள்ளை ஆடு நான்கு',
  'stolen password 77',
  'krishna waters nine buffaloes',
  'kT9vWq2z',
  'two goats, one well',
  'Tamil poems at dusk',
  'gobi-puliyampatti-fair',
  'kabali saw nine goats run',
  'Kangeyam bull 123',
  'ponni9rice4boils',
  'Erumaimadu#8261',
  'காங்கேயம் காளை 1',
])('an individual password is accepted: %s', (password) => expect(isGuessable(password, person)).toBe(false))
