import { beforeAll, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import { makeListing } from '#src/listings/makers.server.ts'
import { listings } from '#src/listings/tables.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { readFormLookups } from './lookups.server.ts'

let market: TestMarket
shareMarket((opened) => (market = opened))
beforeAll(async () => {
  await market.ctx.db.delete(listings)
})

test('the most frequent breeds and colours of animals for sale come first', async () => {
  const { ctx } = market
  const sellerId = (await makeUser(ctx, { typeId: 2 })).id
  const [breedId, colorId] = [105, 9]
  const before = await readFormLookups(ctx)
  for (let n = 0; n < 2; n++) await makeListing(ctx, { sellerId, breedId, colorId })
  await makeListing(ctx, { sellerId, breedId: 103, colorId: 7 })
  const { breeds, colors } = await readFormLookups(ctx)
  expect(breeds.slice(0, 2).map(({ id }) => id)).toEqual([breedId, 103])
  expect(colors.slice(0, 2).map(({ id }) => id)).toEqual([colorId, 7])
  const others = (rows: { id: number }[], moved: number[]) => rows.map(({ id }) => id).filter((id) => !moved.includes(id))
  expect(others(breeds, [])).toHaveLength(before.breeds.length)
  expect(others(breeds, [breedId, 103])).toEqual(others(before.breeds, [breedId, 103]))
})

test('what the seller used last stands before what others use', async () => {
  const { ctx } = market
  const seller = await makeUser(ctx, { typeId: 2 })
  for (const [breedId, colorId] of [[107, 3], [108, 4], [107, 3]]) await makeListing(ctx, { sellerId: seller.id, breedId, colorId }) // oxfmt-ignore
  const { breeds, colors } = await readFormLookups(market.as(seller))
  expect(breeds.slice(0, 3).map(({ id }) => id)).toEqual([107, 108, 105])
  expect(colors.slice(0, 3).map(({ id }) => id)).toEqual([3, 4, 9])
  expect((await readFormLookups(ctx)).breeds[0]!.id).toBe(105)
})
