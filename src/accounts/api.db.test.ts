import { beforeAll, describe, expect, test } from 'vitest'
import type { Viewer } from '#src/kit/context.ts'
import { shareTestApp, type TestApp } from '#tools/test-kit/test-app.ts'
import { makeUser } from './makers.server.ts'

let app: TestApp
let buyer: Viewer
let seller: Viewer
let vet: Viewer
let admin: Viewer
shareTestApp((opened) => (app = opened))
beforeAll(async () => {
  buyer = await makeUser(app.ctx)
  seller = await makeUser(app.ctx, { typeId: 2 })
  vet = await makeUser(app.ctx, { typeId: 5, vetApproved: true })
  admin = await makeUser(app.ctx, { typeId: 9 })
})

type Named = { id: number; name: string }

describe('user types', () => {
  const ids = async (as: Viewer | null) => (await app.read<Named[]>('/api/v1/user-type', { as })).map((type) => type.id)

  test('visitors get the types that they may register as, in both languages', async () => {
    expect(await app.read<Named[]>('/api/v1/user-type')).toContainEqual({ id: 2, name: 'Seller' })
    expect(await app.read<Named[]>('/api/v1/user-type', { language: 'ta' })).toContainEqual({ id: 2, name: 'விற்பனையாளர்' })
    expect(await ids(null)).toEqual([1, 2, 3, 4, 5])
  })

  test('each type has the number of the specification', async () => {
    expect(await app.read<Named[]>('/api/v1/user-type', { as: admin })).toEqual([
      { id: 0, name: expect.any(String) },
      { id: 1, name: 'Buyer' },
      { id: 2, name: 'Seller' },
      { id: 3, name: 'Buyer and seller' },
      { id: 4, name: 'Seller / agent' },
      { id: 5, name: 'Veterinarian' },
      { id: 9, name: 'Admin / staff' },
    ])
  })

  test('guest and admin appear for admins only', async () => {
    for (const person of [buyer, seller, vet]) expect(await ids(person)).toEqual([1, 2, 3, 4, 5])
    expect(await ids(admin)).toEqual([0, 1, 2, 3, 4, 5, 9])
  })

  test('an admin’s answer is not cacheable; a public one may be revalidated', async () => {
    const own = await app.call('/api/v1/user-type', { as: admin })
    expect(own.headers.get('cache-control')).toBe('no-store')
    expect(own.headers.get('etag')).toBeNull()
    const open = await app.call('/api/v1/user-type')
    expect(open.headers.get('cache-control')).toBe('no-cache')
    expect(open.headers.get('vary')).toMatch(/Accept-Language, Cookie/)
    const again = await app.call('/api/v1/user-type', { as: admin, headers: { 'If-None-Match': open.headers.get('etag')! } })
    expect(again.status).toBe(200)
  })
})

describe('titles and kinds of address', () => {
  test('a title is called title on the wire', async () => {
    expect(await app.read('/api/v1/user-title')).toContainEqual({ id: 4, title: 'Dr' })
    expect(await app.read('/api/v1/user-title', { language: 'ta-IN,en;q=0.5' })).toContainEqual({ id: 4, title: 'டாக்டர்' })
  })

  test('a farm is an address type in both languages, for every caller', async () => {
    for (const as of [null, buyer, seller, vet, admin])
      expect(await app.read('/api/v1/address-type', { as })).toContainEqual({ id: 2, name: 'Farm' })
    expect(await app.read('/api/v1/address-type', { language: 'ta' })).toContainEqual({ id: 2, name: 'பண்ணை' })
  })

  test('without Accept-Language the language cookie decides; without a cookie the answer is in Tamil', async () => {
    expect(await app.read('/api/v1/address-type', { language: '' })).toContainEqual({ id: 2, name: 'பண்ணை' })
    expect(await app.read('/api/v1/address-type', { language: '', headers: { cookie: 'lang=en' } })).toContainEqual({ id: 2, name: 'Farm' })
  })
})

test('one IP address may do 600 lookups a minute, and other addresses have their own limit', async () => {
  const address = '192.0.2.1'
  for (let i = 0; i < 600; i++) expect((await app.call('/api/v1/user-title', { address, method: 'HEAD' })).status).toBe(200)
  const refused = await app.call('/api/v1/address-type', { address })
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await app.call('/api/v1/address-type', { address: '192.0.2.2' })).status).toBe(200)
  expect((await app.call('/api/v1/address-type', { address, as: buyer })).status).toBe(200)
})
