import { beforeAll, describe, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import type { Viewer } from '#src/kit/context.ts'
import { makeListing } from '#src/listings/makers.server.ts'
import { sendForm } from '#tools/test-kit/send-form.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { loader } from './cart-page.tsx'
import { getCart } from './queries.server.ts'

let market: TestMarket
let buyer: Viewer
let seller: Viewer
shareMarket((opened) => (market = opened))
beforeAll(async () => {
  buyer = await makeUser(market.ctx, { typeId: 1 })
  seller = await makeUser(market.ctx, { typeId: 3 })
})

/** Opens the cart as a person whose browser has this wish. */
async function opens(viewer: Viewer | null, wish: string) {
  const answer = await sendForm(market.ctx, loader as never, { viewer, params: {}, fields: {}, cookies: { '__Host-wish': wish } }).catch(
    (error: unknown) => error,
  )
  if (!(answer instanceof Response)) return null
  return { to: answer.headers.get('Location'), cookies: answer.headers.getSetCookie() }
}
const cartOf = async (viewer: Viewer) => (await getCart({ ...market.ctx, viewer })).map(({ listingId, count }) => ({ listingId, count }))

describe('the wish of an anonymous visitor', () => {
  test('puts the animal and count into the cart after the login, and is deleted', async () => {
    const id = await makeListing(market.ctx, { sellerId: seller.id, stock: 5 })
    const done = (await opens(buyer, `cart-${id}x2`))!
    expect(done.to).toMatch(new RegExp(`/my-cart\\?added=${id}$`))
    expect(done.cookies.join()).toMatch(/__Host-wish=; .*Max-Age=0/)
    expect(await cartOf(buyer)).toEqual([{ listingId: id, count: 2 }])
  })

  test('stays while nobody is logged in', async () => {
    const id = await makeListing(market.ctx, { sellerId: seller.id })
    expect(await opens(null, `cart-${id}`)).toBeNull()
  })

  test.each([
    ['an own animal', (): Promise<number> => makeListing(market.ctx, { sellerId: seller.id }), 'OWN_LISTING'],
    ['a sold listing', (): Promise<number> => makeListing(market.ctx, { stock: 0, isSold: true }), 'OUT_OF_STOCK'],
    ['an unknown listing', async (): Promise<number> => 999_999_999, 'NOT_FOUND'],
  ] as const)('is refused with its reason for %s, and is deleted', async (_, make, why) => {
    const id = await make()
    const done = (await opens(seller, `cart-${id}`))!
    expect(done.to).toMatch(new RegExp(`/my-cart\\?unadded=${id}&why=${why}$`))
    expect(done.cookies.join()).toContain('Max-Age=0')
    expect(await cartOf(seller)).toEqual([])
  })

  test('is deleted for a person who may not buy', async () => {
    const other = await makeUser(market.ctx, { typeId: 2 })
    const id = await makeListing(market.ctx, { sellerId: seller.id })
    expect((await opens(other, `cart-${id}`))!.to).toMatch(/\/my-cart$/)
  })
})
