import { expect, test } from 'vitest'
import { asTyped, quickEditInput } from './quick-edit-schemas.ts'

const cow = { stock: '1', weightKg: '320', originalPrice: '85000' }
const offerOf = (offerPrice: unknown) => quickEditInput.safeParse({ ...cow, offerPrice }).data?.offerPrice

test.each(['0', '00', '0.0', '0.00', '0.', '0.00000', 0, -0, '', null, undefined])('%s means no offer', (offer) => {
  expect(offerOf(offer)).toBeNull()
})

test.each(['௦', '₹ 0', '00.00 '])('%s in a form means no offer', (offer) => {
  expect(offerOf(asTyped(offer))).toBeNull()
})

test('a positive amount is an offer, and text that is no number is refused', () => {
  expect(offerOf('0.5')).toBe(5000n)
  expect(quickEditInput.safeParse({ ...cow, offerPrice: ' 0' }).success).toBe(false)
  expect(quickEditInput.safeParse({ ...cow, offerPrice: '0x0' }).success).toBe(false)
})
