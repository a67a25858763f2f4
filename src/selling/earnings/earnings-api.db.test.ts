import { expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import { indianDay } from '#src/kit/time-money/dates.ts'
import { makeOrder } from '#src/orders/steps/makers.server.ts'
import { shareTestApp, type TestApp } from '#tools/test-kit/test-app.ts'

let app: TestApp
shareTestApp((opened) => (app = opened))

test("the calls for an agent's earnings and reviews name the owner of each assisted sale", async () => {
  const agent = await makeUser(app.ctx, { typeId: 4 })
  const own = await makeOrder(app.ctx, { status: 6, seller: agent })
  const assisted = await makeOrder(app.ctx, { status: 6, seller: agent, listing: { ownerName: 'Raman', ownerAgreed: true } })
  for (const { buyer } of [own, assisted]) {
    const review = { seller: agent.id, reviewrating: 5, reviewcomment: '' }
    const sent = await app.call('/api/v1/sellerrating', { method: 'POST', as: buyer, csrf: true, json: review })
    expect(sent.status).toBe(200)
  }
  expect(await app.read(`/api/v1/sellerrating/seller=${agent.id}`)).toMatchObject([{ listed_for: 'Raman' }, { listed_for: null }])
  const month = indianDay(app.ctx.now).slice(0, 7)
  expect(await app.read(`/api/v1/earnings/seller=${agent.id}&month=${month}`, { as: agent })).toMatchObject({
    sales: [
      { order_id: assisted.id, listed_for: 'Raman' },
      { order_id: own.id, listed_for: null },
    ],
  })
})
