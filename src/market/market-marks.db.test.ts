import { sql } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { makeAddress } from '#src/addresses/makers.server.ts'
import { makeUser } from '#src/accounts/makers.server.ts'
import { loadedData } from '#src/accounts/tables.ts'
import type { EnvError } from '#src/kit/base/env.server.ts'
import { makeListing } from '#src/listings/makers.server.ts'
import { makeOrder } from '#src/orders/steps/makers.server.ts'
import { openTestMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { ensureModeFits, SAMPLE_MARKET } from './market-marks.server.ts'

let market: TestMarket
beforeEach(async () => {
  market = await openTestMarket()
})
afterEach(() => market?.close())

const refusal = (asked: Promise<void>) =>
  asked.then(
    () => null,
    (error: unknown) => (error as EnvError).lines,
  )
const live = () => refusal(ensureModeFits(market.ctx.db, 'live'))
const demo = () => refusal(ensureModeFits(market.ctx.db, 'demo'))
const demoLine = (what: string) => [`DATABASE_URL: this database holds a demo (${what}). MARKET_MODE live needs one of its own.`]

describe('a live market', () => {
  test('opens an empty database and its own with people in it, and is no demo from then on', async () => {
    expect(await live()).toBeNull()
    await makeUser(market.ctx)
    expect(await live()).toBeNull()
    expect(await demo()).toEqual([
      'DATABASE_URL: this database belongs to a live market. MARKET_MODE demo would fill it with sample people.',
    ])
  })

  test('refuses a database that a demo has opened, even before the demo filled it', async () => {
    expect(await demo()).toBeNull()
    expect(await live()).toEqual(demoLine('its mark'))
  })

  test('refuses the mark of a sample market', async () => {
    await market.ctx.db.insert(loadedData).values({ name: SAMPLE_MARKET, hash: '1', rows: 0 })
    expect(await live()).toEqual(demoLine('its mark'))
  })

  test('refuses a single sample person', async () => {
    await makeUser(market.ctx, { isSample: true })
    expect(await live()).toEqual(demoLine('sample people'))
  })

  test('refuses a single sample listing', async () => {
    await makeListing(market.ctx, { isSample: true })
    expect(await live()).toEqual(demoLine('sample listings'))
  })

  test('refuses a sample person’s order, recognized by the person', async () => {
    const viewer = { vetApproved: false, superAdmin: false }
    const buyer = await makeUser(market.ctx)
    const seller = await makeUser(market.ctx, { typeId: 2 })
    const admin = await makeUser(market.ctx, { typeId: 9 })
    const listingId = await makeListing(market.ctx, { sellerId: seller.id, pickupAddressId: await makeAddress(market.ctx, seller.id) })
    await makeOrder(market.ctx, {
      buyer: { ...viewer, ...buyer },
      seller: { ...viewer, ...seller },
      admin: { ...viewer, ...admin },
      addressId: await makeAddress(market.ctx, buyer.id),
      listingId,
      count: 1,
      status: 1,
    })
    expect(await live()).toBeNull()
    await market.ctx.db.execute(sql`delete from loaded_data where name = 'market-mode'`)
    await market.ctx.db.execute(sql`update users set is_sample = true where id = ${buyer.id}`)
    expect(await live()).toEqual(demoLine('sample people'))
  })
})

describe('a demo', () => {
  test('opens its own database again, also one of an older release', async () => {
    expect(await demo()).toBeNull()
    await makeUser(market.ctx, { isSample: true })
    expect(await demo()).toBeNull()
    await market.ctx.db.insert(loadedData).values({ name: SAMPLE_MARKET, hash: '1', rows: 1 })
    await market.ctx.db.execute(sql`delete from loaded_data where name = 'market-mode'`)
    expect(await demo()).toBeNull()
  })

  test('never fills a database in which people are registered', async () => {
    await makeUser(market.ctx)
    expect(await demo()).toEqual([
      'DATABASE_URL: this database belongs to a live market. MARKET_MODE demo would fill it with sample people.',
    ])
  })
})
