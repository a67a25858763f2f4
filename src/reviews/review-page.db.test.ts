import { expect, test } from 'vitest'
import { makeSession, makeUser } from '#src/accounts/makers.server.ts'
import { shareBuiltSite, postForm, textOf, type BuiltSite } from '#tools/test-kit/built-site.ts'
import { refusingRows } from '#tools/test-kit/refuse-rows.ts'
import type { TestMarket } from '#tools/test-kit/test-market.ts'

let market: TestMarket
let site: BuiltSite
shareBuiltSite((opened) => ({ market, site } = opened))

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

test('an admin hides a review at the desk, its author reads why at the form, and the desk shows it again', async () => {
  const seller = await makeUser(market.ctx, { typeId: 2, name: 'Murugesan' })
  const author = await makeUser(market.ctx, { name: 'Selvi' })
  const admin = await makeSession(market.ctx, (await makeUser(market.ctx, { typeId: 9 })).id)
  const others = [await makeUser(market.ctx), await makeUser(market.ctx)]
  for (const { id } of [author, ...others]) {
    const session = await makeSession(market.ctx, id)
    await postForm(site, `/en/review/${seller.id}`, { stars: '5', comment: `Good, says ${id}` }, { '__Host-sid': session })
  }
  const open = (path: string, session: string) => site.open(path, { session })
  const desk = (await open('/en/admin/reviews', admin)).html
  expect(textOf(desk)).toContain('About Murugesan')
  expect(textOf(desk)).toContain('Same network')
  const [, review, seen] = new RegExp(`Good, says ${author.id}.*?name="review" value="(\\d+)".*?name="seen" value="([\\d.]+)"`, 's').exec(
    desk,
  )!
  const act = (fields: Record<string, string>) =>
    postForm(site, '/en/admin/reviews', { review: review!, ...fields }, { '__Host-sid': admin })
  const refused = await act({ act: 'hide', seen: '1.0', reason: 'Invented' })
  expect(refused.status).toBe(409)
  expect(refused.html).toMatch(/<textarea[^>]*>Invented<\/textarea>/)
  expect(await act({ act: 'hide', seen: seen!, reason: 'Invented' })).toMatchObject({
    status: 302,
    to: `/en/admin/reviews?done=hide&of=${review}`,
  })
  expect(textOf((await open(`/en/review/${seller.id}`, await makeSession(market.ctx, author.id))).html)).toContain('Reason: Invented')
  expect((await open(`/en/seller/${seller.id}`, admin)).html).not.toContain(`Good, says ${author.id}`)
  const late = await act({ act: 'hide', seen: seen!, reason: 'Insulting' })
  expect(late.status).toBe(409)
  expect(textOf(late.html)).toContain('You wrote: Insulting')
  const hidden = (await open('/en/admin/reviews?state=hidden', admin)).html
  const [, now] = /name="seen" value="([\d.]+)"/.exec(hidden)!
  expect(await act({ act: 'show', seen: now! })).toMatchObject({ status: 302, to: '/en/admin/reviews?state=hidden&done=show' })
  expect((await open(`/en/seller/${seller.id}`, admin)).html).toContain(`Good, says ${author.id}`)
})
