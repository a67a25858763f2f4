import { expect, test } from 'vitest'
import { desksOf, insteadOfOrders } from './desks.ts'

const pathsOf = (typeId: number, vetApproved = false) =>
  desksOf({ id: 1, name: 'Selvi', typeId, vetApproved, superAdmin: false }, 'en').map(({ path }) => path)

test('vets and admins see their desks; nobody else sees any', () => {
  for (const typeId of [1, 2, 3, 4]) expect(pathsOf(typeId)).toEqual([])
  for (const isApproved of [true, false]) expect(pathsOf(5, isApproved)).toEqual(['/vet-verify'])
  const admin = pathsOf(9)
  expect(admin.length).toBeGreaterThan(0)
  expect(admin[0]).toBe('/admin')
  expect(admin.filter((path) => !/^\/admin(\/|$)/.test(path))).toEqual([])
})

test('desk names are in the reader’s language', () => {
  const vet = { id: 1, name: 'Meena', typeId: 5, vetApproved: true, superAdmin: false }
  expect([desksOf(vet, 'en'), desksOf(vet, 'ta')].flat().map(({ label }) => label)).toEqual(['Livestock Checkup', 'கால்நடைப் பரிசோதனை'])
})

test('in place of own orders, an admin gets all orders and a seller their listings', () => {
  const placeOf = (typeId: number) => insteadOfOrders({ id: 1, name: 'Selvi', typeId, vetApproved: false, superAdmin: false }, 'en')
  for (const typeId of [1, 3, 5]) expect(placeOf(typeId)).toBeNull()
  for (const typeId of [2, 4]) expect(placeOf(typeId)).toEqual({ path: '/seller-product', label: 'View Listed Products' })
  expect(placeOf(9)).toEqual({ path: '/orders', label: 'View Orders' })
})
