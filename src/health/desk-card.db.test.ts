import { expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import { indianDay } from '#src/kit/time-money/dates.ts'
import type { Viewer } from '#src/kit/context.ts'
import { makeListing } from '#src/listings/makers.server.ts'
import { withTextsFor } from '#src/listings/public-texts.ts'
import { getProduct } from '#src/listings/queries.server.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { readDeskCard } from './desk-card.server.ts'
import { takeAnimal } from './holds.server.ts'
import { listOwnChecks } from './own-checks.server.ts'
import { recordVetCheck } from './record-check.server.ts'

let market: TestMarket
shareMarket((opened) => (market = opened))

test('the vet who holds an animal reads the phone numbers in its texts, other vets and lists have xxxxx', async () => {
  const [vet, other] = [
    await makeUser(market.ctx, { typeId: 5, vetApproved: true }),
    await makeUser(market.ctx, { typeId: 5, vetApproved: true }),
  ]
  const id = await makeListing(market.ctx, { nameEn: 'Bull 98765 43210', descriptionEn: 'Call 98765-43211' })
  await takeAnimal(market.as(vet), id)
  const shownTo = async (viewer: Viewer) => {
    const ctx = market.as(viewer)
    return readDeskCard(ctx, await getProduct(ctx, id), null)
  }
  expect(await shownTo(vet)).toMatchObject({ name: 'Bull 98765 43210', description: 'Call 98765-43211' })
  expect(await shownTo(other)).toMatchObject({ name: 'Bull xxxxx', description: 'Call xxxxx' })
  const product = await getProduct(market.as(vet), id)
  expect(withTextsFor(product, null)).toBe(product)
  await recordVetCheck(market.as(vet), id, { approved: true, comments: 'Sound.', checkedOn: indianDay(market.ctx.now) })
  expect((await listOwnChecks(market.as(vet), 1)).rows[0]!.name).toBe('Bull xxxxx')
})
