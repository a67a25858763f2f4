import { setTimeout as sleep } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { addToCart } from '#src/cart/commands.server.ts'
import { Gate } from '#src/kit/http/gate.server.ts'
import { makeListing } from '#src/listings/makers.server.ts'
import { listings } from '#src/listings/tables.ts'
import { countOf, makeCrowd, rush, type CrowdBuyer } from '#tools/test-kit/crowd.ts'
import { openTestApp, type TestApp } from '#tools/test-kit/test-app.ts'
import { placeOrder } from './place-order.server.ts'

/** All buyers share one IP address, like phones behind one carrier's NAT. */
const CROWD = 200
const STOCK = 50
let app: TestApp
let animal: number
let crowd: CrowdBuyer[]
beforeEach(async () => {
  app = await openTestApp()
  animal = await makeListing(app.ctx, { stock: STOCK })
  crowd = await makeCrowd(app.ctx, CROWD)
  await rush(crowd, 8, ({ viewer }) => addToCart({ ...app.ctx, viewer }, { listingId: animal, count: 1 }))
})
afterEach(() => app?.close())

const stockLeft = async () => (await app.ctx.db.select({ stock: listings.stock }).from(listings).where(eq(listings.id, animal)))[0]!.stock

test('two hundred concurrent buyers of fifty animals: fifty get one, and all others read that none is left', async () => {
  const confirm = async ({ viewer, addressId }: CrowdBuyer): Promise<Response> => {
    for (;;) {
      const address = '192.0.2.9'
      const path = `/api/v1/confirm-order/buyer=${viewer.id}&address=${addressId}&code=`
      const response = await app.call(path, { method: 'PUT', csrf: true, as: viewer, address })
      if (response.status !== 503) return response
      // The queue holds for four seconds. On a busy machine some get a 503 and retry after Retry-After.
      await sleep(1000 * Number(response.headers.get('retry-after')))
    }
  }
  // Logs everybody in first, so that only the confirmations run at once.
  await rush(crowd, 8, ({ viewer }) => app.call(`/api/v1/buyercart/buyer=${viewer.id}`, { as: viewer }))
  const answers = await Promise.all(crowd.map(confirm))
  const ends = await Promise.all(
    answers.map(async (response) => {
      if (response.status === 200) return 'taken'
      const { code, lines } = (await response.json()) as { code: string; lines?: { product: number; stock: number }[] }
      return `${code} ${lines?.[0]?.product === animal ? lines[0].stock : ''}`
    }),
  )
  expect(countOf(ends)).toEqual({ taken: STOCK, 'STOCK_CHANGED 0': CROWD - STOCK })
  expect(await stockLeft()).toBe(0)
})

test('control: behind the gate of other writes, part of the crowd reads that the site is busy', async () => {
  const gate = new Gate({ name: 'test', atOnce: 64, waitAtMostMs: 400, retryAfterSeconds: 2, latenessMs: () => 0 })
  const ends = await rush(crowd, CROWD, ({ viewer, addressId }) =>
    gate.run('192.0.2.9', () => placeOrder({ ...app.ctx, viewer }, { addressId, code: '' })),
  )
  expect(countOf(ends).UNAVAILABLE).toBeGreaterThan(0)
})
