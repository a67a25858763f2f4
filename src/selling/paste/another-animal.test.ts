import { expect, test } from 'vitest'
import { anotherAnimal, mayBeAnother } from './another-animal.ts'

const goat = { key: 'k1', categoryId: '4', breedId: '31', weightKg: '32', originalPrice: '9000', stock: '3', name: 'Goat', pickup: '7' }

test.each([
  ['a species that differs', { categoryId: '2' }, true],
  ['another animal of the same species', { categoryId: '4', breedId: '32' }, true],
  ['the same animal with another price', { categoryId: '4', originalPrice: '8500' }, true],
  ['the same message again', { categoryId: '4', breedId: '31', weightKg: '32', originalPrice: '9000', stock: '1', name: 'A goat' }, false],
  ['further answers about it', { categoryId: '4', genderId: '1', ageId: '3' }, false],
  ['a new price alone', { originalPrice: '8500' }, false],
  ['words alone', { description: 'Very calm' }, false],
])('a message with %s', (_, read, isAsked) => {
  expect(mayBeAnother(goat, read)).toBe(isAsked)
})

test('nothing is asked of an empty form', () => {
  expect(mayBeAnother({ key: 'k1', stock: '1', pickup: '7' }, { categoryId: '2', stock: '2', pickup: '8' })).toBe(false)
})

test('another animal keeps the seller, the owner and the place, and none of the answers', () => {
  const typed = { ...goat, sellerId: '9', whose: 'other', ownerName: 'Mani', ownerPhone: '9000000001', ownerFee: '500', gonePhotos: '11' }
  expect(anotherAnimal(typed, { key: 'k2', photos: ['11', '12'] })).toEqual({
    key: 'k2',
    stock: '1',
    pickup: '7',
    sellerId: '9',
    whose: 'other',
    ownerName: 'Mani',
    ownerPhone: '9000000001',
    ownerFee: '500',
    gonePhotos: '11 12',
  })
})
