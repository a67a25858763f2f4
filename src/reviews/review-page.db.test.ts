import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeSession, makeUser } from '#src/accounts/makers.server.ts'
import { openBuiltSite, postForm, textOf, type BuiltSite } from '#src/testing/built-site.ts'
import { refusingRows } from '#src/testing/refuse-rows.ts'
import { openTestMarket, type TestMarket } from '#src/testing/test-market.ts'

let market: TestMarket
let site: BuiltSite
beforeAll(async () => {
  market = await openTestMarket()
  site = await openBuiltSite(market)
})
afterAll(async () => {
  site?.close()
  await market?.close()
})

test('a review that cannot be stored says so in the words of A §8 and keeps the text', async () => {
  const seller = await makeUser(market.ctx, { typeId: 2 })
  const session = await makeSession(market.ctx, (await makeUser(market.ctx)).id)
  const send = () => postForm(site, `/en/review/${seller.id}`, { stars: '4', comment: 'Answers at once.' }, { '__Host-sid': session })
  await refusingRows(market, 'seller_reviews', async () => {
    const { status, html } = await send()
    expect(status).toBe(500)
    expect(textOf(html)).toContain('Failed to update Seller review, please try after sometime.')
    expect(html).toMatch(/<textarea[^>]*>Answers at once\.<\/textarea>/)
  })
  expect(await send()).toMatchObject({ status: 302, to: `/en/seller/${seller.id}?done=review#reviews` })
})
