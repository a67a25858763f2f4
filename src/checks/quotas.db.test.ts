import { describe, expect, test } from 'vitest'
import { makeAddress } from '#src/addresses/makers.server.ts'
import { makeUser } from '#src/accounts/makers.server.ts'
import type { Viewer } from '#src/kit/context.ts'
import { makeListing } from '#src/listings/makers.server.ts'
import { shareTestApp, type TestApp } from '#tools/test-kit/test-app.ts'
import { wireBody } from '#tools/test-kit/test-sale.ts'

// api.md: a refused input takes nothing from a quota; flood limits still count it.

let app: TestApp
shareTestApp((opened) => (app = opened), { rateLimitFactors: { address: 1000, user: 1 } })

const post = async (path: string, as: Viewer, json: object) => {
  const response = await app.call(`/api/v1${path}`, { method: 'POST', as, csrf: true, json })
  return response.status === 200 ? 'taken' : ((await response.json()) as { code: string }).code
}
const repeat = async (count: number, act: (n: number) => Promise<string>) => {
  const said: string[] = []
  for (let n = 0; n < count; n++) said.push(await act(n))
  return said
}

describe('a refused input gives the try back', () => {
  test('of new listings: three a minute means three created', async () => {
    const seller = await makeUser(app.ctx, { typeId: 2 })
    const pickup = await makeAddress(app.ctx, seller.id)
    const list = (changes: object = {}) => post('/product', seller, wireBody(seller.id, pickup, { product: changes }))
    expect(await repeat(6, () => list({ name: '' }))).toEqual(Array(6).fill('VALIDATION'))
    expect(await repeat(3, (n) => list({ name: `Cow ${n}` }))).toEqual(['taken', 'taken', 'taken'])
    expect(await list({ name: 'A fourth' })).toBe('RATE_LIMITED')
  })

  test('of reports: twenty a day means twenty created', async () => {
    const reporter = await makeUser(app.ctx)
    const listing = await makeListing(app.ctx)
    expect(await repeat(22, () => post('/report', reporter, { product: listing, reason: 'none of them' }))).toEqual(
      Array(22).fill('VALIDATION'),
    )
    expect(await post('/report', reporter, { product: listing, reason: 'wrong' })).toBe('taken')
  })

  test('of enquiries: five a day means five posted', async () => {
    const poster = await makeUser(app.ctx)
    expect(await repeat(7, () => post('/product-requirement-enquiries', poster, { description: 'A cow' }))).toEqual(
      Array(7).fill('VALIDATION'),
    )
  })
})

test('a flood of refused inputs is still stopped', async () => {
  const seller = await makeUser(app.ctx, { typeId: 2 })
  const said = await repeat(32, () => post('/product', seller, {}))
  expect(said.slice(0, 30)).toEqual(Array(30).fill('VALIDATION'))
  expect(said.slice(30)).toEqual(['RATE_LIMITED', 'RATE_LIMITED'])
})
