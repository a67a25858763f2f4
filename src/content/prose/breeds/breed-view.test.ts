import { expect, test } from 'vitest'
import { breeds } from '#src/listings/reference/reference-data.ts'
import { aboutPriceText } from './breed-view.server.ts'

test("the page of a breed that is mostly given away says so, and no breed's price starts at ₹0", () => {
  const dog = breeds.find(({ en }) => en === 'Indian pariah')!
  expect(aboutPriceText(dog, 'en')).toBe('mostly given free, up to ₹5,000')
  expect(aboutPriceText(dog, 'ta')).toBe('பெரும்பாலும் இலவசம், ₹5,000 வரை')
  for (const breed of breeds) expect(aboutPriceText(breed, 'en')).not.toMatch(/₹0\b/)
})
