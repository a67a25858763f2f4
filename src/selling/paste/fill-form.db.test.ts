import { expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import { makeAddress } from '#src/addresses/makers.server.ts'
import { inLocale } from '#src/kit/http/page-locale.server.ts'
import { indianDay } from '#src/kit/time-money/dates.ts'
import { checkListing, readTyped } from '#src/listings/write/listing-input.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { fillFromText } from './fill-form.server.ts'
import { UNDERSTOOD, understoodText, wordsBehind } from './understood.ts'

let market: TestMarket
shareMarket((opened) => (market = opened))

const MESSAGE = 'ஜெர்சி பசு 3 வயது 2வது ஈத்து 12 லிட்டர் கன்றுடன் 300 கிலோ செவலை விலை 65000 சேலம் போன் 9000000001'
const fill = async (message = MESSAGE, typeId = 2) => {
  const viewer = await makeUser(market.ctx, { typeId })
  const ctx = market.as(viewer, { locale: 'ta' })
  return { viewer, ctx, read: () => inLocale('ta', () => fillFromText(ctx, message)) }
}

test("a message fills the form's fields, and the form accepts them", async () => {
  const { values, words } = await (await fill()).read()
  expect(values).toMatchObject({
    categoryId: '1',
    breedId: '118',
    genderId: '0',
    originalPrice: '65000',
    lactation: '2',
    offspring: '1',
    milkLitresPerDay: '12',
  })
  expect(values.description).not.toContain('9000000001')
  expect(words).toMatchObject({ lactation: '2வது ஈத்து', originalPrice: '65000' })
  const { problems } = checkListing(readTyped({ stock: '1', ...values }), { today: indianDay(market.ctx.now) })
  expect(problems).toEqual([])
})

test('litres are filled in halves, as the form takes them', async () => {
  const { values } = await (await fill(MESSAGE.replace('12 லிட்டர்', '4.3 லிட்டர்'))).read()
  expect(values).toMatchObject({ milkLitresPerDay: '4' })
})

test('the pickup address in the named district is chosen, or the form names the district without one', async () => {
  const { viewer, read } = await fill()
  expect(await read()).toMatchObject({ elsewhere: 'சேலம்' })
  const address = await makeAddress(market.ctx, viewer.id, { pincode: '636001' })
  const filled = await read()
  expect([filled.values.pickup, filled.elsewhere]).toEqual([String(address), null])
})

test('a fact that the form does not ask for this species is not filled', async () => {
  const { values } = await (await fill('சேவல் அசில் 12 லிட்டர் 2வது ஈத்து 1500')).read()
  expect(values).not.toHaveProperty('milkLitresPerDay')
  expect(values).not.toHaveProperty('lactation')
})

test('a pregnancy goes into the name, where lists search for it', async () => {
  const { values } = await (await fill('ஜெர்சி கிடாரி 7 மாத சினை 50000')).read()
  expect(values.name).toContain('சினை')
})

test('the words behind an answer are shown until somebody changes the answer', () => {
  const values = { lactation: '2' }
  const typed = { ...values, [UNDERSTOOD]: understoodText(values, { lactation: '2வது ஈத்து' }) }
  expect(wordsBehind(typed, 'lactation')).toBe('2வது ஈத்து')
  expect(wordsBehind({ ...typed, lactation: '3' }, 'lactation')).toBeNull()
  expect(wordsBehind(typed, 'price')).toBeNull()
  expect(wordsBehind({ lactation: '2', [UNDERSTOOD]: '{broken' }, 'lactation')).toBeNull()
})
